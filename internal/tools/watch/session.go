package watch

import (
	"encoding/json"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/shown"
)

// flagNames are the flags of race control, by frame.Session.Flag.
var flagNames = [...]string{"", "green", "yellow", "red", "checkered"}

// sessionObject is how the rig takes part in a session, as JSON for scripts. connected means that the host is heard, paused that
// race control has paused; phase and flag are "" before one is known. Places count from 1, 0 is unknown; to_start_s is negative
// after the start; lost_share is that of the packets; ahead and behind are the cars next to the own one in the classification.
// late_ms is how long before now a car was there, opacity 1, and less while nothing is heard of it; gap_m is along the circuit,
// positive if it is ahead. What is not known is null.
var sessionObject = shown.NewObject[frame.Others](`
	connected=connected(bool) !phase !flag paused=paused(bool) clock_s=clock uncertainty_s=uncertainty to_start_s=to_start place of grid_place laps laps_left
	time_left_s=time_left penalty_s=penalty lost_share=lost ahead{ driver=!ahead gap_s=gap_ahead } behind{ driver=!behind gap_s=gap_behind } !notice
	cars[cars]{
		slot=car_*_slot !driver place=car_*_place !position_m !velocity_mps late_ms=car_*_late(ms) opacity=car_*_opacity gap_m=car_*_gap
		laps_ahead=car_*_laps_ahead in_pit=car_*_in_pit(bool)
	}`, -1)

// Session returns what a session shows to a rig as JSON for scripts. It returns nil, which is null, without a session.
func Session(o *frame.Others) json.RawMessage {
	if o == nil {
		return nil
	}
	s, drivers, positions, velocities := &o.Session, []string{}, [][3]float64{}, [][3]float64{}
	for i := range o.Cars[:o.Count] {
		c := &o.Cars[i]
		drivers, positions, velocities = append(drivers, c.Name.String()), append(positions, c.Pos), append(velocities, c.Vel)
	}
	return sessionObject.Append(nil, o, map[string]any{
		"phase": frame.Name(frame.PhaseNames[:], s.Phase), "flag": frame.Name(flagNames[:], s.Flag), "ahead": s.Ahead.String(), "behind": s.Behind.String(),
		"notice": string(s.AppendNotice(nil)), "driver": drivers, "position_m": positions, "velocity_mps": velocities,
	})
}
