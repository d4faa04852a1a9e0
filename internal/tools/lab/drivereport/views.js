// The data of a drive report, as data.go describes them, in the units that are shown. A view is a drive or one lap of it.
const data = JSON.parse(document.getElementById("data").textContent);

// decode returns the values of a channel: float32, little-endian as every browser's.
function decode(base64) {
	const text = atob(base64), bytes = new Uint8Array(text.length);
	for (let i = 0; i < bytes.length; i++) bytes[i] = text.charCodeAt(i);
	return new Float32Array(bytes.buffer);
}
for (const drive of data.Drives) {
	for (const c of Object.values(drive.Channels)) c.Values = decode(c.Values);
}

// newView returns the samples from..to of a drive or a lap, with the time of each since the beginning, and with the
// distance along the lap if the station is known.
function newView(drive, lap) {
	const start = lap ? lap.Start : 0;
	const sample = t => Math.min(drive.Count, Math.max(0, Math.ceil((t - drive.Start) / drive.Step)));
	const from = lap ? sample(start) : 0, to = lap ? sample(start + lap.Time) : drive.Count;
	const time = new Float64Array(drive.Count);
	for (let i = 0; i < drive.Count; i++) time[i] = drive.Start + i * drive.Step - start;
	const view = {drive, lap, start, from, to, time, distance: null, channels: Object.create(drive.Channels)};
	const station = drive.Channels[data.Station];
	if (lap && station) view.distance = distances(station.Values, from, to);
	return view;
}

// distances returns the station of each sample, counted on where it starts again at 0. It never falls, so that it can be
// searched: a car that rolls back stays where it is.
function distances(station, from, to) {
	const length = station.reduce((most, s) => s > most ? s : most, 0), list = new Float64Array(station.length);
	let before = station[from], turns = before > length / 2 ? -1 : 0, far = -Infinity;
	for (let i = from; i < to; i++) {
		if (isFinite(station[i])) {
			if (station[i] < before - length / 2) turns++;
			if (station[i] > before + length / 2) turns--;
			before = station[i];
			far = Math.max(far, before + turns * length);
		}
		list[i] = far;
	}
	return list;
}

// search returns the first sample of a view whose x is not below a value, or view.to.
function search(view, xs, x) {
	let low = view.from, high = view.to;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (xs[middle] < x) low = middle + 1; else high = middle;
	}
	return low;
}

// nearest returns the sample of a view at x, or -1 if x is not in the view.
function nearest(view, xs, x) {
	const i = search(view, xs, x);
	if (!(x >= xs[view.from]) || i >= view.to) return -1;
	return i > view.from && x - xs[i - 1] < xs[i] - x ? i - 1 : i;
}

// timeDifference returns a channel of view b: how much later b is at each place than a.
function timeDifference(a, b) {
	const Values = new Float32Array(b.drive.Count).fill(NaN);
	for (let i = b.from; i < b.to; i++) {
		const x = b.distance[i], j = search(a, a.distance, x);
		if (j <= a.from || j >= a.to) continue;
		const share = (x - a.distance[j - 1]) / (a.distance[j] - a.distance[j - 1]);
		Values[i] = b.time[i] - a.time[j - 1] - share * (a.time[j] - a.time[j - 1]);
	}
	return {Digits: 3, Values};
}

// extent returns the smallest and the largest finite value of channels in those samples of each view that the function
// samples returns, and these limits with some space around them.
function extent(views, names, samples) {
	let low = Infinity, high = -Infinity;
	for (const view of views) {
		const [from, to] = samples(view);
		for (const name of names) {
			const values = view.channels[name]?.Values;
			for (let i = from; values && i < to; i++) {
				if (values[i] < low && values[i] > -Infinity) low = values[i];
				if (values[i] > high && values[i] < Infinity) high = values[i];
			}
		}
	}
	const space = Math.max((high - low) * 0.06, Math.abs(high) * 1e-3, 1e-6);
	return low <= high ? {low, high, wide: [low - space, high + space]} : {low: 0, high: 1, wide: [0, 1]};
}

// fixed formats a number with a minus sign, and without one for what is rounded to 0.
const fixed = (v, digits) => isFinite(v) ? v.toFixed(digits).replace(/^-(?=.*[1-9])/, "−").replace("-", "") : "–";
function clock(t, digits) {
	const unit = 10 ** digits, n = Math.round(Math.abs(t) * unit), minutes = Math.floor(n / (60 * unit));
	return (t < 0 ? "−" : "") + minutes + ":" + (n / unit - minutes * 60).toFixed(digits).padStart(digits ? digits + 3 : 2, "0");
}
