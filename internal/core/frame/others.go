package frame

// MaxOthers is the highest number of other cars.
const MaxOthers = 63

// Others is what a session of several rigs shows to one of them: the other cars and what race control says. It has a
// memory of its own, because another process writes it; what is in it can change nothing but what is seen.
type Others struct {
	Due     int64 // time of the cars' positions, on CLOCK_MONOTONIC [ns]
	Session Session
	Count   uint64 `channel:"cars"` // number of Cars
	Cars    [MaxOthers]OtherCar
}

// Text is a short text of UTF-8, ended by a 0 byte if it is shorter, in words so that it can be copied as such.
type Text [3]uint64

// Phases of Session.Phase.
const (
	NoSession uint64 = iota
	PhasePractice
	PhaseGrid
	PhaseCountdown
	PhaseRacing
	PhaseFinishing
	PhaseEnded
)

// PhaseNames are the names of the phases, by Session.Phase.
var PhaseNames = [...]string{"", "practice", "grid", "countdown", "race", "finishing", "ended"}

// Flags of Session.Flag.
const (
	FlagNone uint64 = iota
	FlagGreen
	FlagYellow
	FlagRed
	FlagCheckered
)

// Session is the state of a session as one rig sees it.
type Session struct {
	Phase       uint64  `channel:"phase"`                // NoSession to PhaseEnded
	Flag        uint64  `channel:"flag"`                 // FlagNone to FlagCheckered
	Connected   uint64  `channel:"connected"`            // 1 while the host is heard
	Paused      uint64  `channel:"paused"`               // 1 while race control has paused the session
	Clock       float64 `channel:"clock" unit:"s"`       // session time [s]
	Uncertainty float64 `channel:"uncertainty" unit:"s"` // of Clock [s]
	Late        float64 // highest of OtherCar.Late [s]
	ToStart     float64 `channel:"to_start" unit:"s"`  // time until the start, negative after it [s]; NaN if it is not fixed
	Place       uint64  `channel:"place"`              // own place in the classification, from 1; 0 is unknown
	Of          uint64  `channel:"of"`                 // number of cars in the classification
	GridPlace   uint64  `channel:"grid_place"`         // own place on the grid, from 1; 0 for none
	Laps        uint64  `channel:"laps"`               // own finished laps
	LapsLeft    uint64  `channel:"laps_left"`          // of the race; 0 is unknown
	TimeLeft    float64 `channel:"time_left" unit:"s"` // of the race [s]; NaN if it has none
	Penalty     float64 `channel:"penalty" unit:"s"`   // sum of own penalties [s]
	Lost        float64 `channel:"lost"`               // share of packets that are missing, 0..1
	Ahead       Text    // driver of the car one place ahead; empty for none
	GapAhead    float64 `channel:"gap_ahead" unit:"s"` // to it [s]; NaN is unknown
	Behind      Text
	GapBehind   float64  `channel:"gap_behind" unit:"s"`
	Notice      [24]Text // of race control, joined; empty for none
}

// OtherCar is another car of the session.
type OtherCar struct {
	Slot        uint64     `channel:"car_*_slot"` // number of its rig in the session, 0 to MaxOthers
	Name        Text       // of its driver
	Place       uint64     `channel:"car_*_place"`         // in the classification, from 1; 0 is unknown
	Late        float64    `channel:"car_*_late" unit:"s"` // how long before Others.Due it was where it is shown [s]
	Pos         [3]float64 // center of mass [m, world]
	Att         [4]float64 // quaternion body to world: w, x, y, z
	Vel         [3]float64 // [m/s, world]; 0 once it is frozen
	Rate        [3]float64 // [rad/s, body]; 0 once it is frozen
	Steer       float64    // of the front wheels [rad], positive left
	Brake       float64    // 0..1
	Opacity     float64    `channel:"car_*_opacity"`      // 1; less while it fades because nothing is heard of it; 0 is not shown
	Gap         float64    `channel:"car_*_gap" unit:"m"` // from the own car along the circuit, positive if it is ahead [m]; NaN is unknown
	LapsAhead   int64      `channel:"car_*_laps_ahead"`   // full laps that it is ahead of the own car, negative behind
	InPit       uint64     `channel:"car_*_in_pit"`
	Flash       uint64     // headlights
	Length      float64
	Width       float64
	Height      float64
	CGHeight    float64
	CGToFront   float64
	Wheelbase   float64
	WheelRadius float64
}

// OtherColor returns the color of a car by its slot [sRGB, 0..1]: eight that also color-blind people tell apart, then the same darker. None is the
// red of the own car.
func OtherColor(slot uint64) (color [3]float64) {
	hues := [...][3]float64{
		{0.10, 0.38, 0.95}, {0.98, 0.86, 0.20}, {0.05, 0.62, 0.45}, {0.93, 0.93, 0.94}, {0.92, 0.42, 0.62}, {0.95, 0.45, 0.05}, {0.45, 0.85, 0.90}, {0.38, 0.20, 0.62},
	}
	color = hues[slot%uint64(len(hues))]
	if slot/uint64(len(hues))%2 == 1 {
		for i := range color {
			color[i] *= 0.5
		}
	}
	return color
}
