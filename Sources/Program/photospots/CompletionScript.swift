import ArgumentParser

/// The completion scripts of shells: those of the argument parser, in which names are completed in
/// another way.
///
/// The names of albums are names of folders, which may come from anyone. The parser's script for
/// bash hands them to `compgen -W`, which expands them like source text: completing
/// `Summer $(command)` would run the command. Its script for zsh reads a colon and a backslash of a
/// name as syntax.
enum CompletionScript {
  /// The option of the parser that prints a script.
  static let option = "--generate-completion-script"

  /// Converts a script of the parser for bash or zsh to one in which names are data. That for fish
  /// remains as it is: fish quotes what a command prints.
  static func namesAsData(in script: String) -> String {
    let isBash = script.hasPrefix("#!/bin/bash")
    guard isBash || script.hasPrefix("#compdef") else { return script }
    var lines: [Substring] = []
    var isReplaced = false
    for line in script.split(separator: "\n", omittingEmptySubsequences: false) {
      let code = line.drop { $0 == " " }
      if isBash, line == "_photospots() {" {
        lines += [bashFunctions[...], "", line]
      } else if isBash, code == "local -r prev=\"${3}\"" {
        // Bash ends a word at a colon, which the names may contain.
        lines += ["    local word prev head open", "    __photospots_read_line"]
      } else if isBash, code.hasPrefix(bashCall), code.hasSuffix(")\"") {
        let arguments = code.dropFirst(bashCall.count).dropLast(2)
        lines.append("\(line.prefix { $0 == " " })__photospots_add_names \(arguments)")
      } else if !isBash, line == "__photospots_custom_complete() {" {
        lines.append(zshFunction[...])
        isReplaced = true
      } else if isReplaced {
        isReplaced = line != "}"
      } else {
        lines.append(line)
      }
    }
    return lines.joined(separator: "\n")
  }

  /// The beginning of a line that completes a name in the parser's script for bash.
  private static let bashCall = "__photospots_add_completions -W \"$(__photospots_custom_complete "

  /// The functions that complete a name in bash. The program prints a name a line.
  private static let bashFunctions = #"""
    # Sets `word` to the word before the cursor without its quotes, `prev` to the one before it,
    # `head` to the part of the word before what readline replaces, which may begin at a colon, and
    # `open` to the quote that is open there.
    __photospots_read_line() {
        local -r line="${COMP_LINE:0:COMP_POINT}"
        local -ir replaced="$((${#line} - ${#cur}))"
        local quote='' char
        local -i index
        word='' prev='' head='' open=''
        for ((index = 0; index <= ${#line}; index++)); do
            if ((index == replaced)); then head="${word}" open="${quote}"; fi
            char="${line:index:1}"
            case "${quote}${char}" in
            "''" | '""') quote='' ;;
            \"\\)
                [[ "${line:index + 1:1}" = [\"\\\$\`] ]] && index+=1
                word+="${line:index:1}"
                ;;
            [\'\"]?) word+="${char}" ;;
            [\'\"]) [[ -n "${quote}" ]] || quote="${char}" ;;
            \\)
                index+=1
                word+="${line:index:1}"
                ;;
            [[:space:]])
                [[ -z "${word}" ]] || prev="${word}"
                word=''
                ;;
            *) word+="${char}" ;;
            esac
        done
    }

    # Completes a word by names from elsewhere, of which the program prints one a line. They are
    # data: nothing of them is expanded, and a completed name is one word.
    __photospots_add_names() {
        # The names are quoted here. Older versions of bash would quote them a second time.
        compopt +o filenames 2> /dev/null || return

        local name common=''
        local -a names=()
        while IFS='' read -r name; do
            [[ -n "${name}" && "${name}" = "${word}"* ]] && names+=("${name}")
        done < <(__photospots_custom_complete "${@}")
        ((${#names[@]} > 0)) || return
        __photospots_find_common "${names[@]}"
        local -r common_name="${common}"

        local quoted
        local -a replies=()
        for name in "${names[@]}"; do
            __photospots_quote_name "${name}"
            replies+=("${quoted}")
        done
        __photospots_find_common "${replies[@]}"
        __photospots_quote_name "${common_name}"
        if ((${#names[@]} == 1)); then
            # A value follows.
            [[ "${names[0]}" = *= ]] && compopt -o nospace
            # Readline closes the quote, but for a name that ends with one.
            [[ -z "${open}" || "${quoted}" != *"${open}" ]] || replies=("${quoted}${open}")
        elif [[ "${common}" != "${quoted}" ]]; then
            # Readline inserts what the replies have in common: here, a part of a quoted character.
            compopt -o nospace
            if [[ "${common_name}" = "${word}" ]]; then
                replies+=(' ')
            else
                replies=("${quoted}")
            fi
        fi
        COMPREPLY+=("${replies[@]}")
    }

    # Sets `common` to what words have in common at their beginning.
    __photospots_find_common() {
        local other
        common="${1}"
        for other in "${@:2}"; do
            while [[ "${other}" != "${common}"* ]]; do common="${common%?}"; done
        done
    }

    # Sets `quoted` to the part of a name after `head`, for a place where the quote `open` is open.
    __photospots_quote_name() {
        quoted="${1#"${head}"}"
        case "${open}" in
        \') quoted="${quoted//\'/\'\\\'\'}" ;;
        \")
            quoted="${quoted//\\/\\\\}"
            quoted="${quoted//\"/\\\"}"
            quoted="${quoted//\$/\\\$}"
            quoted="${quoted//\`/\\\`}"
            # A backslash before it would be part of the word.
            quoted="${quoted//\!/\"\'\!\'\"}"
            ;;
        *) [[ -z "${quoted}" ]] || printf -v quoted %q "${quoted}" ;;
        esac
    }
    """#

  /// The function that completes a name in zsh: `compadd` quotes the names itself.
  private static let zshFunction = #"""
    __photospots_custom_complete() {
        local -a names
        names=("${(@f)"$("${command_name}" "${@}" "${command_line[@]}")"}")
        # The program ends the list with a line of one space.
        names=("${(@)names:#(| )}")
        # With it an exclamation mark is quoted.
        setopt localoptions banghist
        compadd -V names -a names
    }
    """#
}
