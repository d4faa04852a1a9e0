package motion

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"rig.example/rig/devices/motion/wire"
)

// Positions returns the position of each actuator as text, in % of the stroke: its last feedback,
// or its last target if it has never reported a position.
func (s *Status) Positions(names []string) string {
	list, prefix := make([]string, len(names)), ""
	if s.State == Absent || s.State == Opening || s.Faults&(wire.FaultSilent|wire.FaultOffline) != 0 {
		prefix = "when last heard "
	}
	for i, name := range names {
		measured, sent := s.LastFeedback[i], s.LastTarget[i]
		switch {
		case !math.IsNaN(measured):
			list[i] = fmt.Sprintf("%s %.0f %%", name, 100*measured)
		case !math.IsNaN(sent):
			list[i] = fmt.Sprintf("%s unknown, sent to %.0f %%", name, 100*sent)
		default:
			list[i] = name + " unknown"
		}
	}
	return " (" + prefix + strings.Join(list, ", ") + " of the stroke)"
}

// Place returns where the platform stands, such as "the platform is parked".
func (s *Status) Place(names []string) string {
	if s.State == Parked {
		return "the platform is parked"
	}
	return "the platform is NOT parked but " + s.State.String() + s.Positions(names)
}

// KnownPlace is Place, or "" if the platform is not parked and was never sent anywhere.
func (s *Status) KnownPlace(names []string) string {
	if s.State != Parked && !s.Moved() {
		return ""
	}
	return s.Place(names)
}

// StrokePercent returns fractions of a stroke as text in percent, or one value if all are equal.
func StrokePercent(list []float64) string {
	var texts []string
	for _, v := range list {
		texts = append(texts, strconv.FormatFloat(100*v, 'g', 3, 64))
	}
	if same := slices.Compact(slices.Clone(texts)); len(same) == 1 {
		texts = same
	}
	return strings.Join(texts, ", ") + " % of the stroke"
}
