// The canvas's colors, light and dark; the elements' are in styles/base.css.

/** The colors by theme. */
export const palettes = {
  light: {
    paper: "#f1eee6", sea: "#d5e3e8", land: "#f6f3ec", coast: "#a9bcc2", border: "#cdc5b6",
    grid: "#1c23210f", gridText: "#5f6964", ring: "#0b6bcb77", chip: "#fffdf9dd",
    reach: "#c2410c14", reachLine: "#c2410c88", trail: "#0b6bcb", replay: "#c2410c",
    trailCase: "#ffffffcc", town: "#3a4440", halo: "#f6f3ecdd",
    cone: "#c2410c4d", coneStrong: "#c2410c88", coneEnd: "#c2410c00",
  },
  dark: {
    paper: "#171c1f", sea: "#0f1b22", land: "#20272b", coast: "#3c4d55", border: "#39424a",
    grid: "#ffffff0d", gridText: "#9aa5a0", ring: "#6cb6ff66", chip: "#1d2327e6",
    reach: "#ff925618", reachLine: "#ff925677", trail: "#6cb6ff", replay: "#ff9256",
    trailCase: "#00000088", town: "#c3cac6", halo: "#171c1fdd",
    cone: "#ff925655", coneStrong: "#ff925699", coneEnd: "#ff925600",
  },
};
