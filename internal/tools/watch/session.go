package watch

import "rig.example/rig/internal/core/frame"

// flagNames are the flags of race control, by frame.Session.Flag.
var flagNames = [...]string{"", "green", "yellow", "red", "checkered"}

// SessionNow is how the rig takes part in a session, as JSON for scripts.
type SessionNow struct {
	Connected   bool          `json:"connected"` // the host is heard
	Phase       string        `json:"phase"`     // practice, grid, countdown, race, finishing, ended; "" before one is known
	Flag        string        `json:"flag"`      // green, yellow, red, checkered; "" for none
	Paused      bool          `json:"paused"`    // by race control
	Clock       float64       `json:"clock_s"`   // session time
	Uncertainty float64       `json:"uncertainty_s"`
	ToStart     *float64      `json:"to_start_s"` // negative after the start; null if it is not fixed
	Place       uint64        `json:"place"`      // from 1; 0 is unknown, as of those below
	Of          uint64        `json:"of"`
	GridPlace   uint64        `json:"grid_place"`
	Laps        uint64        `json:"laps"`
	LapsLeft    uint64        `json:"laps_left"`
	TimeLeft    *float64      `json:"time_left_s"` // null if the race has no time
	Penalty     float64       `json:"penalty_s"`
	Lost        float64       `json:"lost_share"` // of the packets, 0..1
	Ahead       Rival         `json:"ahead"`      // one place ahead
	Behind      Rival         `json:"behind"`
	Notice      string        `json:"notice"` // of race control; "" for none
	Cars        []OtherCarNow `json:"cars"`
}

// Rival is the driver of a car next to the own one in the classification.
type Rival struct {
	Driver string   `json:"driver"` // "" for none
	Gap    *float64 `json:"gap_s"`  // null if unknown
}

// OtherCarNow is another car as the rig shows it.
type OtherCarNow struct {
	Slot     uint64     `json:"slot"` // number of its rig in the session
	Driver   string     `json:"driver"`
	Place    uint64     `json:"place"` // 0 is unknown
	Position [3]float64 `json:"position_m"`
	Velocity [3]float64 `json:"velocity_mps"`
	Late     float64    `json:"late_ms"` // how long before now it was there
	Opacity  float64    `json:"opacity"` // 1, and less while nothing is heard of it
	Gap      *float64   `json:"gap_m"`   // along the circuit, positive if it is ahead; null if unknown
	Laps     int64      `json:"laps_ahead"`
	InPit    bool       `json:"in_pit"`
}

// Session converts what a session shows to a rig. It returns nil without a session.
func Session(o *frame.Others) *SessionNow {
	if o == nil {
		return nil
	}
	s := &o.Session
	n := &SessionNow{
		Connected: s.Connected != 0, Phase: frame.Name(frame.PhaseNames[:], s.Phase), Flag: frame.Name(flagNames[:], s.Flag), Paused: s.Paused != 0,
		Clock: s.Clock, Uncertainty: s.Uncertainty, ToStart: NumberOrNull(s.ToStart), Place: s.Place, Of: s.Of, GridPlace: s.GridPlace,
		Laps: s.Laps, LapsLeft: s.LapsLeft, TimeLeft: NumberOrNull(s.TimeLeft), Penalty: s.Penalty, Lost: s.Lost,
		Ahead: Rival{s.Ahead.String(), NumberOrNull(s.GapAhead)}, Behind: Rival{s.Behind.String(), NumberOrNull(s.GapBehind)},
		Notice: string(s.AppendNotice(nil)), Cars: []OtherCarNow{},
	}
	for i := range o.Cars[:o.Count] {
		c := &o.Cars[i]
		n.Cars = append(n.Cars, OtherCarNow{c.Slot, c.Name.String(), c.Place, c.Pos, c.Vel, c.Late * 1e3, c.Opacity, NumberOrNull(c.Gap), c.LapsAhead, c.InPit != 0})
	}
	return n
}
