package channels

import (
	"fmt"
	"math"
	"strings"

	"rig.example/rig/internal/core/guard"
	"rig.example/rig/road/lap"
)

func lapChannels() []Channel {
	clock := func(p *Point) *lap.State { return &p.Tick.State.Laps.Clock }
	return ofDrive("lap",
		row{"lap_number", "", 0, "Lap Number", "number of the present lap, from 1; 0 before the start line", func(p *Point) float64 { return running(p, float64(clock(p).Lap.Number)) }},
		row{"lap_time", "s", 3, "", "time since the start of the present lap", func(p *Point) float64 { return running(p, clock(p).Lap.Time) }},
		row{"lap_delta", "s", 3, "", "time lost against the best lap up to this place, negative if faster; NaN without a best lap", delta},
		row{"lap_sector", "", 0, "", "number of the present sector, from 1; 0 before the start line", func(p *Point) float64 { return running(p, float64(clock(p).Sector+1)) }},
		row{"lap_valid", "", 0, "", "1 while the present lap counts", func(p *Point) float64 { return running(p, bit(clock(p).Lap.Valid)) }},
		row{"lap_distance", "m", 1, "", "distance of the front axle from the start line, along the center line", func(p *Point) float64 { return clock(p).Distance }},
		row{"station", "m", 1, "", "position of the front axle along the circuit's center line", func(p *Point) float64 { return p.Tick.State.Station }},
		row{"lateral_position", "m", 2, "", "distance of the front axle from the center line, positive to its left", func(p *Point) float64 { return clock(p).Lateral }},
		row{"distance", "m", 1, "", "driven distance", func(p *Point) float64 { return p.Tick.State.Distance }},
		row{"laps_finished", "", 0, "", "number of finished laps, valid or not", func(p *Point) float64 { return float64(clock(p).Count) }},
		row{"last_lap_time", "s", 3, "", "time of the last finished lap; 0 before", func(p *Point) float64 { return clock(p).Last.Time }},
		row{"best_lap_time", "s", 3, "", "shortest time of a valid lap; 0 before", func(p *Point) float64 { return clock(p).Best.Time }},
		row{"off_track", "", 0, "", "1 while more than two wheels are off the road", func(p *Point) float64 { return bit(clock(p).OffTrack) }},
		row{"wrong_way", "", 0, "", "1 while the car drives against the circuit's direction", func(p *Point) float64 { return bit(clock(p).WrongWay) }},
		row{"in_pit", "", 0, "", "1 while the car is in the pit lane", func(p *Point) float64 { return bit(clock(p).InPit) }},
		row{"pit_time", "s", 3, "", "time in the pit lane during the present or the last visit", func(p *Point) float64 { return clock(p).PitTime }},
	)
}

// running returns v while a lap is driven, otherwise 0.
func running(p *Point, v float64) float64 {
	if !p.Tick.State.Laps.Clock.Running {
		return 0
	}
	return v
}

// delta returns the time lost against the best lap [s], NaN without one.
func delta(p *Point) float64 {
	if p.Tick.Timing == nil {
		return math.NaN()
	}
	if d, ok := p.Tick.Timing.Delta(&p.Tick.State.Laps.Clock); ok {
		return d
	}
	return math.NaN()
}

func safetyChannels() []Channel {
	g := func(p *Point) *guard.Guard { return &p.Tick.State.Guard }
	causes := codes(guard.None, guard.WindowLost)
	return ofDrive("safety",
		row{"safety_state", "", 0, "", "safety state: " + codes(guard.Parked, guard.Stopped), func(p *Point) float64 { return float64(p.Tick.Out.State) }},
		row{"latched_cause", "", 0, "", "what blocks the drive until the operator confirms: " + causes, func(p *Point) float64 { return float64(p.Tick.Out.LatchedCause) }},
		row{"transition_cause", "", 0, "", "cause of the latest change of the safety state, with the codes of latched_cause", func(p *Point) float64 { return float64(g(p).LastTransition().Cause) }},
		row{"torque_limit", "N·m", 2, "", "highest torque that the guard passes to the rim", func(p *Point) float64 { return g(p).MaxTorque() }},
		row{"high_torque_consent", "", 0, "", "1 while the operator consents to more than 8 N·m", func(p *Point) float64 { return bit(g(p).HighTorqueAllowed()) }},
		row{"hands_off", "", 0, "", "1 while the torque is off because nobody holds the rim", func(p *Point) float64 { return bit(g(p).HandsOff()) }},
		row{"paused", "", 0, "", "1 while the driver has paused", func(p *Point) float64 { return bit(p.Tick.State.Cockpit.Paused) }},
		row{"emergency_stop", "", 0, "", "1 while the emergency stop switch is pressed or cannot be read", func(p *Point) float64 { return bit(p.Tick.In.Stop.Pressed) }},
		row{"enable_relay", "", 0, "", "1 while the enable relay must be closed", func(p *Point) float64 { return bit(p.Tick.Out.Power) }},
		row{"interlock_open", "", 0, "", "1 while a belt or a door is open", func(p *Point) float64 { return bit(p.Tick.Out.Platform.InterlockOpen) }},
		row{"wheel_fault", "", 0, "", "1 while the wheel's angle sensor moves implausibly", func(p *Point) float64 { return bit(p.Tick.In.Wheel.Fault) }},
		row{"pedals_fault", "", 0, "", "1 while a pedal sensor moves implausibly", func(p *Point) float64 { return bit(p.Tick.In.Pedals.Fault) }},
	)
}

// codes returns the names of the codes from first to last, each with its number.
func codes[T interface {
	~uint8
	fmt.Stringer
}](first, last T) string {
	var list []string
	for code := first; code <= last; code++ {
		list = append(list, fmt.Sprintf("%d %s", uint8(code), code))
	}
	return strings.Join(list, ", ")
}

func loopChannels() []Channel {
	return append(
		ofCar("loop", row{"car_ticks", "", 0, "", "steps of the car's simulation since the start", func(p *Point) float64 { return float64(p.State.Tick) }}),
		ofDrive("loop",
			row{"missed_ticks", "", 0, "", "periods of the loop that had ended completely when it woke", func(p *Point) float64 { return float64(p.Tick.In.Loop.Missed) }},
			row{"dropped_ticks", "", 0, "", "missed periods without a tick", func(p *Point) float64 { return float64(p.Tick.In.Loop.Dropped) }},
			row{"lateness", "s", 6, "", "lateness of the loop's wake-up before this tick", func(p *Point) float64 { return p.Tick.In.Loop.Late }},
			row{"lateness_max", "s", 6, "", "worst lateness of the loop's wake-up so far", func(p *Point) float64 { return p.Tick.In.Loop.LateMax }},
			row{"tick_cost", "s", 6, "", "duration of the last tick", func(p *Point) float64 { return p.Tick.In.Loop.Cost }},
			row{"loop_gap", "s", 4, "", "time without a step before this tick", func(p *Point) float64 { return p.Tick.In.Gap }},
		)...)
}
