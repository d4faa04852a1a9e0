package main

// tickInputMutants are faults in which a tick does not read one of its inputs.
var tickInputMutants = skipInputs([]replacements{
	{"(*Rig).sense", [][2]string{
		{"r.gap.Measure(r.stats, r.demo)", "in.Gap, in.Suspended"},
		{"r.gap.HeldUp", "in.TorqueWithheld"},
		{"uint8(r.presets.chainIndex.Load())", "in.ForceChainIndex"},
		{"r.page != nil", "in.FrameWanted"},
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
		{"r.wheelSample.Present", "in.Present"},
		{"r.wheelSample.Fault", "in.Fault"},
		{"r.wheelSample.Angle", "in.Angle"},
		{"r.wheel.Rated()", "in.Rated"},
		{"r.wheel.UpdateRate()", "in.Rate"},
		{"r.wheel.Delay()", "in.Delay"},
		{"r.ownEffects.EffectReserve()", "in.OwnEffectsMax"},
		{"r.ownEffects.MaxVibration()", "in.VibrationMax"},
		{"r.ownEffects.EffectTorque()", "in.OwnEffectsNow"},
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
		{"p.Levers.HPattern", "in.HasHPattern"},
		{"p.Levers.Gear", "in.Gear"},
	}},
	{"(*Rig).senseSwitches", [][2]string{
		{"= stopped,", "= in.Stop.Pressed && stopped,"},
		{", failed, uint8", ", in.Stop.RelayFailed && failed, uint8"},
		{"uint8(cause)", "0*uint8(cause)"},
		{"r.interlock.IsOpen()", "false"},
	}},
	{"(*Rig).sensePlatform", [][2]string{
		{"r.poseSolver.latest()", "in.Measured"},
		{"in.Configured = true", "in.Configured = false"},
		{"s.State.Follows()", "in.Follows"},
		{"unavailable(s.State)", "in.Unavailable"},
		{"connected(&s)", "in.Connected"},
		{"s.State == motion.Parked", "in.Parked"},
		{"s.State == motion.Halted", "in.Halted"},
		{"s.ParkDone", "in.ParkDone"},
		{"uint64(s.State)", "in.State"},
		{"uint64(s.Faults)", "in.Faults"},
		{"s.TargetJumps", "in.Warnings"},
		{"s.Feedback", "in.Feedback"},
		{"s.Target,", "in.Target,"},
		{"s.FollowError", "in.FollowError"},
		{"s.Temperature", "in.Temperature"},
		{"s.Rate", "in.Rate"},
		{"s.LineShare", "in.LineShare"},
		{"s.Latency", "in.Latency"},
		{"unknownLegs, unknownLegs, unknownLegs, unknownLegs", "in.Feedback, in.Target, in.FollowError, in.Temperature"},
	}},
})

// tickOrderMutants are faults in which a tick does not take one of the operator's orders.
var tickOrderMutants = mutantsOf([]replacements{{"(*Pending).Take", [][2]string{
	{"p.start.Load()", "in.Start"},
	{"p.IsReleased()", "in.Release"},
	{"unstamp(p.confirmation.Swap(0))", "in.Confirmed, in.ConfirmBy"},
	{"unstamp(p.stops.Load())", "in.Stops, in.StopBy"},
	{"guard.Origin(p.pause.Swap(0))", "in.PauseBy"},
	{"guard.Origin(p.resume.Swap(0))", "in.ResumeBy"},
	{"unpackTune(p.tune.Swap(0))", "in.Tune"},
}}}, "a tick does not take an order: ", "internal/live/operator/pending.go", "^TestEveryInputIsSensed$")

// replacements are texts in one function that reads inputs or sends outputs, each with the text that skips
// this input or output.
type replacements struct {
	function string
	list     [][2]string
}

// tickOutputMutants are faults in which a tick does not send one of its outputs.
var tickOutputMutants = skipOutputs([]replacements{
	{"(*Rig).act", [][2]string{
		{"	r.notifySupervisor(in, out)\n", ""},
		{"r.estop.Enable(out.Power)", "_ = out.Power"},
		{"out.WithholdTorque(in)", "_ = in"},
		{"r.wheel.Push(out.Torque)", "_ = out.Torque"},
		{"r.ownEffects.EnableEffects(out.State.Moves())", "_ = out.State"},
		{"out.State.Moves()", "true"},
		{"r.ownEffects.LimitEffects(out.OwnEffects)", "_ = out.OwnEffects"},
		{"r.ownEffects.Vibrate(out.Vibration.Peak, out.Vibration.Hz)", "_ = out.Vibration"},
		{"r.rim.Hands(out.Hands.Angle, out.Hands.Stiffness)", "_ = out.Hands"},
		{"r.rim.Step()", "_ = r.rim"},
		{"	r.commandPlatform(&out.Platform)\n", ""},
		{"s.Show(&out.Frame)", "_ = s.Show"},
		{"	r.updateExtremes(in, out)\n", ""},
		{"r.page.Publish(&out.Frame)", "_ = out.Frame"},
	}},
	{"(*Rig).notifySupervisor", [][2]string{
		{"r.waitLimit.gaveUp.Store(true)", "_ = r.waitLimit.cause"},
		{"r.orders.Give(operator.FadeOutAndPark, guard.ByDriver)", "_ = operator.FadeOutAndPark"},
		{"	r.latchedCause.Store(uint32(out.LatchedCause))\n", ""},
		{"r.ignored.Store(uint32(out.Ignored))", "_ = out.Ignored"},
		{"r.badValue.Store(out.BadValue.Pack())", "_ = out.BadValue"},
		{"	r.transitions.put(out.Change())\n", ""},
	}},
	{"(*Rig).commandPlatform", [][2]string{
		{"r.platform.OrderHome()", "_ = c.Home"},
		{"r.platform.Interlock(c.InterlockOpen)", "_ = c.InterlockOpen"},
		{"r.platform.Push(wire.Legs(c.Legs))", "_ = wire.Legs(c.Legs)"},
		{"	r.platform.Tick()\n", ""},
	}},
})

// skipOutputs returns one mutant for each output of a tick.
func skipOutputs(all []replacements) []mutant {
	return mutantsOf(all, "a tick does not send its output: ", "internal/live/rig/act.go", "^(TestEveryOutputIsActed|TestAHeldUpTickIsToldToTheNext)$")
}

// skipInputs returns one mutant for each input of a tick.
func skipInputs(all []replacements) []mutant {
	return mutantsOf(all, "a tick does not read its input: ", "internal/live/rig/sense.go", "^(TestEveryInputIsSensed|TestADemoSensesNoDevices)$")
}

// mutantsOf returns one mutant for each replacement. name is the beginning of their names.
func mutantsOf(all []replacements, name, file, tests string) (list []mutant) {
	for _, of := range all {
		for _, r := range of.list {
			list = append(list, mutant{name: name + r[0], file: file, function: of.function, pkg: "internal/live/rig", old: r[0], new: r[1], tests: tests})
		}
	}
	return list
}
