// Texts of quantities, for screens. A value that is not known is null.

export const unknown = "–";

// fixed returns a number with that many decimals and a true minus sign.
export function fixed(value, decimals = 0) {
  if (value === null || value === undefined) return unknown;
  const text = value.toFixed(decimals);
  return /^-[0.]*$/.test(text) ? text.slice(1) : text.replace("-", "−");
}

// signed is fixed with a plus sign before positive numbers.
export function signed(value, decimals) {
  const text = fixed(value, decimals);
  return value > 0 && /[1-9]/.test(text) ? "+" + text : text;
}

// percent returns a share as a percentage.
export const percent = (share, decimals = 0) => share === null || share === undefined ? unknown : fixed(100 * share, decimals) + " %";

// lapTime returns a time [s] as 1:23.456. 0 and less are not known.
export function lapTime(seconds, decimals = 3) {
  if (!(seconds > 0)) return "-:--." + "---".slice(0, decimals);
  const unit = 10 ** decimals, ticks = Math.round(Math.min(seconds, 5999) * unit);
  const rest = (ticks % (60 * unit) / unit).toFixed(decimals);
  return Math.floor(ticks / (60 * unit)) + ":" + rest.padStart(3 + decimals, "0");
}

// thousands returns an integer with a thin space between its thousands.
export const thousands = value => value === null ? unknown : String(Math.round(value)).replace("-", "−").replace(/\B(?=(\d{3})+$)/g, "\u2009");

// bytes returns a size in MB or GB.
export const bytes = count => count >= 1e9 ? (count / 1e9).toFixed(2) + " GB" : (count / 1e6).toFixed(1) + " MB";

// degrees converts an angle [rad].
export const degrees = angle => angle === null ? null : angle * 180 / Math.PI;

// title returns a name such as motion_surge as words: Motion surge.
export function title(name) {
  const words = name.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
