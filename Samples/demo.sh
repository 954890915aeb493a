#!/bin/sh
# Shows PhotoSpots at work on the samples; 'make demo' runs it. $photospots is the program, $folder an empty
# folder for the index and the memory of what fired.
set -eu
: "${photospots:?}" "${folder:?}"

show() {
  printf '\n$ photospots'
  for argument; do
    case $argument in
      *' '*) printf " '%s'" "$argument" ;;
      *) printf ' %s' "$argument" ;;
    esac
  done
  printf '\n'
  command=$1
  shift
  case $command in
    watch) "$photospots" watch "$@" --index "$folder/index.json" --state "$folder/state" ;;
    *) "$photospots" "$command" "$@" --index "$folder/index.json" ;;
  esac
}

printf 'Photos are indexed where they lie:\n'
show index Samples/photos
printf '\nWhich spots are near the Trocadéro in Paris?\n'
show near 48.86194 2.2883 --radius 1km
printf '\nA walk past two of them tells of each once:\n'
show watch Samples/walk.nmea --format text
printf '\nThe same walk again says nothing, since a spot stays silent for a day:\n'
show watch Samples/walk.nmea --format text
