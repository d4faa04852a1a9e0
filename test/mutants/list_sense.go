package main

// senseMutants each leave out one of the things that a tick reads of the outside world.
var senseMutants = unread([]readings{
	{"(*Rig).sense", [][2]string{
		{"r.gap.take(r.stats, r.demo)", "in.Gap, in.Suspended"},
		{"r.gap.stale", "in.Withheld"},
		{"uint8(r.presets.wanted.Load())", "in.Feel"},
		{"r.page != nil", "in.Watched"},
		{"r.stats.Missed", "in.Loop.Missed"},
		{"r.stats.Dropped", "in.Loop.Dropped"},
		{"r.stats.Lateness.Max().Seconds()", "in.Loop.LateMax"},
		{"r.stats.Cost.Last().Seconds()", "in.Loop.Cost"},
	}},
	{"(*Rig).senseControls", [][2]string{
		{"r.page.Keys()", "in.Window.Keys, in.Window.Pictures"},
		{"keysOf(e.Down)", "in.Buttons.Down"},
		{"keysOf(e.Pressed)", "in.Buttons.Pressed"},
	}},
	{"(*Rig).senseWheel", [][2]string{
		{"r.hands.Present", "in.Present"},
		{"r.hands.Fault", "in.Fault"},
		{"r.hands.Angle", "in.Angle"},
		{"r.wheel.Rated()", "in.Rated"},
		{"r.wheel.Rate()", "in.Rate"},
		{"r.wheel.Delay()", "in.Delay"},
		{"r.own.Room()", "in.Room"},
		{"r.own.Headroom()", "in.Headroom"},
		{"r.own.Own()", "in.Own"},
	}},
	{"(*Rig).sensePedals", [][2]string{
		{"in.Present = true", "in.Present = false"},
		{"p.Present", "in.Present"},
		{"p.Fault", "in.Fault"},
		{"p.Throttle", "in.Throttle"},
		{"p.Brake", "in.Brake"},
		{"p.Clutch", "in.Clutch"},
		{"p.Handbrake", "in.Handbrake"},
		{"p.Levers.ShiftUp", "in.ShiftUp"},
		{"p.Levers.ShiftDown", "in.ShiftDown"},
		{"p.Levers.Gate", "in.Gate"},
		{"p.Levers.Gear", "in.Gear"},
	}},
	{"(*Rig).senseSwitches", [][2]string{
		{"= stopped,", "= in.Stop.Pressed && stopped,"},
		{", failed, uint8", ", in.Stop.RelayFailed && failed, uint8"},
		{"uint8(cause)", "0*uint8(cause)"},
		{"r.belt.lineOpen()", "false"},
	}},
	{"(*Rig).sensePlatform", [][2]string{
		{"r.gauge.last()", "in.Measured"},
		{"in.Configured = true", "in.Configured = false"},
		{"follows(s.State)", "in.Follows"},
		{"away(s.State)", "in.Away"},
		{"connected(s)", "in.Connected"},
		{"s.State == motion.Parked", "in.Parked"},
		{"s.State == motion.Halted", "in.Halted"},
		{"s.Final", "in.Final"},
		{"uint64(s.State)", "in.State"},
		{"uint64(s.Faults)", "in.Faults"},
		{"s.Warnings", "in.Warnings"},
		{"s.Feedback", "in.Feedback"},
		{"s.Demand", "in.Demand"},
		{"s.FollowError", "in.FollowError"},
		{"s.Temperature", "in.Temperature"},
		{"s.Rate", "in.Rate"},
		{"s.LineShare", "in.LineShare"},
		{"s.Latency", "in.Latency"},
		{"unknownLegs, unknownLegs, unknownLegs, unknownLegs", "in.Feedback, in.Demand, in.FollowError, in.Temperature"},
	}},
	{"(*Rig).senseOperator", [][2]string{
		{"r.orders.start.Load()", "in.Start"},
		{"r.orders.release.Load()", "in.Release"},
		{"r.orders.stop.Load()", "in.Stop"},
		{"r.orders.clear.Swap(false)", "in.Clear"},
	}},
})

// readings are those of a function of sense: what is read, and what stands there instead where a
// fault leaves it out.
type readings struct {
	function string
	list     [][2]string
}

// unread makes a mutant of each reading.
func unread(all []readings) (list []mutant) {
	for _, of := range all {
		for _, r := range of.list {
			list = append(list, mutant{
				name: "no tick learns of " + r[0],
				file: "internal/rig/sense.go", function: of.function,
				old: r[0], new: r[1],
				tests: "^(TestEveryInputIsSensed|TestADemoSensesNoDevices)$",
			})
		}
	}
	return list
}
