package watch

import (
	"math"
	"slices"
	"strings"
	"testing"

	"rig.example/rig/internal/core/frame"
)

// moved is a frame in which actuator 1 is a tenth of the stroke behind its target, and the platform rolls by 3°.
func moved(share float64) *frame.Frame {
	f := &frame.Frame{}
	for i := range f.Motion.Measured {
		f.Motion.Measured[i] = math.NaN()
	}
	f.Motion.Target[1], f.LegsFeedback[1], f.Pose[frame.Roll] = share, share-0.1, 3/degrees
	return f
}

func TestAScopeShowsAxesOverTime(t *testing.T) {
	all := ScopeAxes([]string{"left", "right rear"})
	axes, err := ChooseAxes(all, 2, []string{"right rear", "roll"})
	if err != nil {
		t.Fatal(err)
	}
	s := NewScope(axes)
	for i := range 3 {
		s.Add(moved(0.4+0.1*float64(i)), 1000+uint64(20*i))
	}
	if want := []string{"time_s", "right_rear_target_percent", "right_rear_feedback_percent", "right_rear_error_percent", "roll_target_deg", "roll_feedback_deg", "roll_error_deg"}; !slices.Equal(s.Columns(), want) {
		t.Errorf("columns %q", s.Columns())
	}
	row := s.Row()
	for i, want := range []float64{0.04, 60, 50, -10, 3} {
		if math.Abs(row[i]-want) > 1e-9 {
			t.Errorf("%s is %g, want %g", s.Columns()[i], row[i], want)
		}
	}
	if !math.IsNaN(row[5]) || !math.IsNaN(row[6]) {
		t.Errorf("roll is not measured: %v", row)
	}
	lines := strings.Join(s.Lines(40), "\n")
	for _, want := range []string{"right rear   target    60.00 %, feedback    50.00, error -10.00", "roll         target     3.00 °", "▃▆█", "▁▃▆"} {
		if !strings.Contains(lines, want) {
			t.Errorf("%q is missing in\n%s", want, lines)
		}
	}
	if n := len(s.Lines(40)); n != 5 {
		t.Errorf("%d lines, want 3 for the actuator and 2 for roll", n)
	}
}

func TestAxesAreChosenByName(t *testing.T) {
	all := ScopeAxes([]string{"left", "right"})
	if axes, err := ChooseAxes(all, 2, nil); err != nil || len(axes) != 2 {
		t.Errorf("by default: %d axes, %v", len(axes), err)
	}
	if _, err := ChooseAxes(all, 2, []string{"rol"}); err == nil || !strings.Contains(err.Error(), "choose left, right, surge") {
		t.Errorf("an axis that there is not: %v", err)
	}
}
