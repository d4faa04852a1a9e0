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
		{"r.belt.Open()", "false"},
	}},
	{"(*Rig).sensePlatform", [][2]string{
		{"r.gauge.last()", "in.Measured"},
		{"in.Configured = true", "in.Configured = false"},
		{"s.State.Follows()", "in.Follows"},
		{"away(s.State)", "in.Away"},
		{"connected(&s)", "in.Connected"},
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

// readings are those of a function of sense or act: what is read or done, and what stands there
// instead where a fault leaves it out.
type readings struct {
	function string
	list     [][2]string
}

// actMutants each leave out one of the things that a tick does to the outside world.
var actMutants = unsaid([]readings{
	{"(*Rig).act", [][2]string{
		{"	r.report(in, out)\n", ""},
		{"r.estop.Enable(out.Power)", "_ = out.Power"},
		{"out.Withhold(in)", "_ = in"},
		{"r.wheel.Push(out.Torque)", "_ = out.Torque"},
		{"r.own.Live(out.State.Moves())", "_ = out.State"},
		{"out.State.Moves()", "true"},
		{"r.own.Allow(out.Own)", "_ = out.Own"},
		{"r.own.Shake(out.Vibration.Peak, out.Vibration.Hz)", "_ = out.Vibration"},
		{"r.rim.Hands(out.Hands.Angle, out.Hands.Stiffness)", "_ = out.Hands"},
		{"r.rim.Step()", "_ = r.rim"},
		{"	r.move(&out.Platform)\n", ""},
		{"	r.remember(in, out)\n", ""},
		{"r.page.Publish(&out.Frame)", "_ = out.Frame"},
	}},
	{"(*Rig).report", [][2]string{
		{"r.patience.gaveUp.Store(true)", "_ = r.patience.on"},
		{"r.orders.release.Store(true)", "_ = out.Releasing"},
		{"	r.waits.Store(uint32(out.Waits))\n", ""},
		{"r.ignored.Store(uint32(out.Ignored))", "_ = out.Ignored"},
		{"r.flaw.Store(out.Flaw.Pack())", "_ = out.Flaw"},
		{"r.log.put(out.Change, estop.Cause(out.StopCause))", "_ = estop.None"},
		{"estop.Cause(out.StopCause)", "estop.None"},
	}},
	{"(*Rig).move", [][2]string{
		{"r.platform.Interlock(c.BeltOpen)", "_ = c.BeltOpen"},
		{"r.platform.Push(wire.Legs(c.Legs))", "_ = wire.Legs(c.Legs)"},
	}},
})

// unsaid makes a mutant of each thing that is done, and what is done instead.
func unsaid(all []readings) []mutant {
	return planted(all, "a tick leaves out ", "internal/rig/act.go", "^(TestEveryOutputIsActed|TestAHeldUpTickIsToldToTheNext)$")
}

// unread makes a mutant of each reading.
func unread(all []readings) []mutant {
	return planted(all, "no tick learns of ", "internal/rig/sense.go", "^(TestEveryInputIsSensed|TestADemoSensesNoDevices)$")
}

func planted(all []readings, name, file, tests string) (list []mutant) {
	for _, of := range all {
		for _, r := range of.list {
			list = append(list, mutant{name: name + r[0], file: file, function: of.function, old: r[0], new: r[1], tests: tests})
		}
	}
	return list
}
