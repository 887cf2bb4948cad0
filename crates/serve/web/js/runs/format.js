// Numbers, times and sizes as people read them. A value that is missing is an en dash.

const NONE = '–';
const grouped = new Intl.NumberFormat('en', {maximumFractionDigits: 0});
const rounded = new Intl.NumberFormat('en', {maximumSignificantDigits: 3});

const isNumber = (value) => typeof value === 'number' && Number.isFinite(value);

/** 1234567 is 1,234,567. */
export const count = (value) => (isNumber(value) ? grouped.format(value) : NONE);

/** 12345 is 12.3 k; 3300000 is 3.3 M. */
export function short(value) {
  if (!isNumber(value)) return NONE;
  for (const [size, unit] of [[1e9, 'G'], [1e6, 'M'], [1e4, 'k']]) {
    if (Math.abs(value) >= size) {
      const divisor = unit === 'k' ? 1e3 : size;
      return `${rounded.format(value / divisor)} ${unit}`;
    }
  }
  return grouped.format(value);
}

/** A count with its noun: 1 game, 2 games. */
export const plural = (value, noun) => `${count(value)} ${noun}${value === 1 ? '' : 's'}`;

/** Four significant digits, for losses and rates. */
export function decimal(value) {
  if (!isNumber(value)) return NONE;
  if (value === 0) return '0';
  return Math.abs(value) < 1e-4 ? value.toExponential(2) : String(Number(value.toPrecision(4)));
}

/** 0.526 is 52.6 %. */
export const percent = (share, digits = 1) =>
  (isNumber(share) ? `${(100 * share).toFixed(digits)} %` : NONE);

/** A number with its sign, and the minus sign of typography. */
export function signed(value, digits = 0) {
  if (!isNumber(value)) return NONE;
  const text = Math.abs(value).toFixed(digits);
  if (Number(text) === 0) return text;
  return (value < 0 ? '−' : '+') + text;
}

/** A difference with its error: +18 ± 9. Too few games have no error. */
export function withError(value, error, digits = 0) {
  if (!isNumber(value)) return NONE;
  const shown = signed(value, digits);
  return isNumber(error) ? `${shown} ± ${error.toFixed(digits)}` : `${shown} (error unknown)`;
}

/** 4000 is 3.9 KiB. */
export function bytes(value) {
  if (!isNumber(value)) return NONE;
  for (const [size, unit] of [[2 ** 30, 'GiB'], [2 ** 20, 'MiB'], [2 ** 10, 'KiB']]) {
    if (value >= size) return `${rounded.format(value / size)} ${unit}`;
  }
  return `${value} B`;
}

/** 200 is 3 min 20 s. */
export function duration(seconds) {
  if (!isNumber(seconds)) return NONE;
  const total = Math.max(0, Math.round(seconds));
  const [days, hours] = [Math.floor(total / 86400), Math.floor(total / 3600) % 24];
  const [minutes, rest] = [Math.floor(total / 60) % 60, total % 60];
  if (days) return `${days} d ${hours} h`;
  if (hours) return `${hours} h ${minutes} min`;
  return minutes ? `${minutes} min ${rest} s` : `${rest} s`;
}

/** How long ago a moment in Unix milliseconds is. */
export function ago(moment) {
  const seconds = (Date.now() - moment) / 1000;
  if (seconds < 3) return 'just now';
  if (seconds < 60) return `${Math.round(seconds)} s ago`;
  if (seconds < 3600) return `${Math.round(seconds / 60)} min ago`;
  if (seconds < 86400) return `${Math.round(seconds / 3600)} h ago`;
  return `${Math.round(seconds / 86400)} d ago`;
}
