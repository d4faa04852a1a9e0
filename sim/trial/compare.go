package trial

import "math"

// Deviation says how far one column of a recording is from its reference.
type Deviation struct {
	Column     string
	Largest    float64 // size of the largest error, in the column's unit
	Mean       float64 // of the errors' sizes
	Range      float64 // of the reference, largest minus smallest
	LargestPct float64 // of that range; 0 where the reference does not change
	MeanPct    float64
	At         float64 // time of the largest error [s]
}

// Compare says for each column how far a recording is from a reference, at the
// reference's times, between the recording's rows by a straight line. NaN in the
// reference marks what it does not know; a column it does not know at all, or only
// at times the recording does not have, is left out.
func Compare(got, want []Row) []Deviation {
	names := Columns()
	sums := make([]deviating, len(names))
	k := 0
	for i := range want {
		ref := want[i].Values()
		for k+2 < len(got) && got[k+1].T < ref[0] {
			k++
		}
		mine := rowAt(got[k:], ref[0])
		for c := range mine {
			sums[c].take(ref[0], mine[c], ref[c])
		}
	}
	var list []Deviation
	for c := 1; c < len(names); c++ {
		if sums[c].count > 0 {
			list = append(list, sums[c].done(names[c]))
		}
	}
	return list
}

// rowAt returns the values of the first two rows at a time [s], nil outside.
func rowAt(rows []Row, when float64) []float64 {
	const slack = 1e-9 // of rounded times [s]
	if len(rows) < 2 || !(when >= rows[0].T-slack && when <= rows[1].T+slack) {
		return nil
	}
	a, b := rows[0].Values(), rows[1].Values()
	part := min(max((when-a[0])/(b[0]-a[0]), 0), 1)
	for i := range a {
		a[i] += part * (b[i] - a[i])
	}
	return a
}

// deviating sums up the errors of a column.
type deviating struct {
	count, sum, largest, at float64
	low, high               float64
}

func (d *deviating) take(when, got, want float64) {
	if math.IsNaN(want) || math.IsInf(want, 0) {
		return
	}
	if d.count == 0 {
		d.low, d.high, d.at = want, want, when
	}
	d.low, d.high = min(d.low, want), max(d.high, want)
	miss := math.Abs(got - want)
	d.count++
	d.sum += miss
	if miss > d.largest {
		d.largest, d.at = miss, when
	}
}

func (d *deviating) done(column string) Deviation {
	v := Deviation{Column: column, Largest: d.largest, Mean: d.sum / d.count, Range: d.high - d.low, At: d.at}
	const still = 1e-12 // of a column that does not change
	if v.Range > still {
		v.LargestPct, v.MeanPct = 100*v.Largest/v.Range, 100*v.Mean/v.Range
	}
	return v
}
