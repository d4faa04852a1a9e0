//go:build amd64 && !amd64.v3

package rig

import (
	"math"

	"rig.example/rig/devices/estop"
	"rig.example/rig/devices/wheel"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/live/operator"
	"rig.example/rig/test/level"
)

// rigStates are the states in which orders are given, and how a rig gets there: one that was not started, or one that drives.
var rigStates = []struct {
	name   string
	parked bool
	reach  func(f *damaged)
}{
	{"parked, not started", true, func(f *damaged) { f.run(2000) }},
	{"homing", true, func(f *damaged) { f.orders.Start(); f.run(500) }},
	{"ready, without a wheel", true, func(f *damaged) {
		f.wheel.spoil = func(s *wheel.Sample) { *s = wheel.Sample{} }
		f.orders.Start()
		f.run(8000)
	}},
	{"engaging", true, func(f *damaged) {
		for f.orders.Start(); f.out == nil || f.out.State != guard.Engaging; {
			f.run(1)
		}
		f.run(1000)
	}},
	{"driving", false, nothing},
	{"driving, platform waits", false, func(f *damaged) { f.line.Reset(); f.run(3000) }},
	{"releasing", false, func(f *damaged) { f.orders.Give(operator.Pause, guard.ByCommand); f.run(200) }},
	{"paused", false, func(f *damaged) { f.orders.Give(operator.Pause, guard.ByCommand); f.run(3000) }},
	{"belt open", false, func(f *damaged) { f.belt.cause = estop.Opened; f.run(3000) }},
	{"fault", false, func(f *damaged) { f.drive.State.Car.Speed = math.NaN(); f.run(3000) }},
	{"stopped", false, func(f *damaged) { f.orders.Give(operator.EmergencyStop, guard.ByCommand); f.run(3000) }},
	{"stop switch pressed", false, func(f *damaged) { f.stop.cause = estop.Opened; f.run(3000) }},
}

// personsOrders are all orders that a person can give to a rig, by whatever way they come, and none.
var personsOrders = []struct {
	name string
	give func(f *damaged)
}{
	{"none", nothing},
	{"stop", given(operator.EmergencyStop, guard.ByCommand)},
	{"confirm", given(operator.ClearFault, guard.ByCommand)},
	{"pause", given(operator.Pause, guard.ByCommand)},
	{"resume", given(operator.Resume, guard.ByCommand)},
	{"end", given(operator.FadeOutAndPark, guard.ByCommand)},
	{"reset", tapped(wheel.Reset)},
	{"high torque", tapped(wheel.HighTorque)},
}

func tapped(a wheel.Action) func(*damaged) {
	return func(f *damaged) { f.controls = &fingers{wheel.Edges{Pressed: 1 << a}} }
}

// orders gives every order in every state, or in some, and returns the rows.
func (c *campaign) orders() (rows string) {
	for _, state := range rigStates {
		latched := state.name == "fault" || state.name == "stopped" || state.name == "stop switch pressed"
		if !latched && state.name != "driving" && !level.All() && !*writeFaults {
			continue
		}
		row := "| **" + state.name + "** |"
		for _, order := range personsOrders {
			begin := newDamaged
			if state.parked {
				begin = newParked
			}
			f := begin(c.t)
			state.reach(f)
			before := f.out.State
			order.give(f)
			f.run(1)
			if order.name == "stop" && (f.out.State != guard.Stopped || f.torque != 0) {
				c.t.Errorf("%s: %v with %g N·m in the tick of a stop", state.name, f.out.State, f.torque)
			}
			f.run(2999)
			if after := f.out.State; latched && after != before && (state.name == "stop switch pressed" || order.name != "confirm" && order.name != "stop") {
				c.t.Errorf("%s, %s: %v afterwards", state.name, order.name, after)
			}
			row += " " + f.out.State.String() + ", " + f.platform.Status().State.String() + " |"
			c.bounded(f, state.name+", "+order.name)
		}
		c.written(row + "\n")
		rows += row + "\n"
	}
	return rows
}
