package trial

import (
	"math"

	"rig.example/rig/internal/kit/valid"
)

// Deviation is how far one column of a recording is from its reference.
type Deviation struct {
	Column     string  // name of the column, one of Columns
	Largest    float64 // absolute value of the largest error, in the column's unit
	Mean       float64 // mean of the absolute errors
	Range      float64 // largest minus smallest value of the reference
	LargestPct float64 // Largest in percent of Range; 0 for a constant reference
	MeanPct    float64 // Mean in percent of Range
	At         float64 // time of the largest error [s]
}

// Compare returns, for each column, the deviation of the recording got from the reference want. It
// compares at the times of the reference and interpolates linearly between the rows of the recording. NaN
// in the reference is a missing value. Columns without a value within the time of the recording are left
// out.
func Compare(got, want []Row) []Deviation {
	names := Columns()
	sums := make([]columnErrors, len(names))
	k := 0
	for i := range want {
		ref := want[i].Values()
		for k+2 < len(got) && got[k+1].T < ref[0] {
			k++
		}
		gotAtRef := valuesAt(got[k:], ref[0])
		for c := range gotAtRef {
			sums[c].add(ref[0], gotAtRef[c], ref[c])
		}
	}
	var list []Deviation
	for c := 1; c < len(names); c++ {
		if sums[c].count > 0 {
			list = append(list, sums[c].deviation(names[c]))
		}
	}
	return list
}

// valuesAt returns the values between the first two rows at a time [s], nil outside of them.
func valuesAt(rows []Row, when float64) []float64 {
	const slack = 1e-9 // tolerance for rounded times [s]
	if len(rows) < 2 || !(when >= rows[0].T-slack && when <= rows[1].T+slack) {
		return nil
	}
	a, b := rows[0].Values(), rows[1].Values()
	share := min(max((when-a[0])/(b[0]-a[0]), 0), 1)
	for i := range a {
		a[i] += share * (b[i] - a[i])
	}
	return a
}

// columnErrors accumulates the errors of a column.
type columnErrors struct {
	count, sum, largest, at    float64 // count and sum of the errors, the largest one and its time
	minReference, maxReference float64 // smallest and largest value of the reference
}

// add takes in a column's value in the recording and in the reference, both at the time t [s].
func (d *columnErrors) add(t, got, want float64) {
	if !valid.Finite(want) {
		return
	}
	if d.count == 0 {
		d.minReference, d.maxReference, d.at = want, want, t
	}
	d.minReference, d.maxReference = min(d.minReference, want), max(d.maxReference, want)
	deviation := math.Abs(got - want)
	d.count++
	d.sum += deviation
	if deviation > d.largest {
		d.largest, d.at = deviation, t
	}
}

// deviation returns the result for the column.
func (d *columnErrors) deviation(column string) Deviation {
	v := Deviation{Column: column, Largest: d.largest, Mean: d.sum / d.count, Range: d.maxReference - d.minReference, At: d.at}
	const minRange = 1e-12 // range below which a column counts as constant
	if v.Range > minRange {
		v.LargestPct, v.MeanPct = 100*v.Largest/v.Range, 100*v.Mean/v.Range
	}
	return v
}
