package main

var guardMutants = []mutant{
	{
		name: "an emergency stop is not obeyed",
		file: "internal/guard/guard.go", function: "(*Guard).next",
		old: "if in.Stop {", new: "if in.Stop && in.Clear {",
		tests: "^TestTroubleAndItsEnd$",
	},
	{
		name: "8 N·m need no consent",
		file: "internal/guard/consent.go", function: "(*Guard).Most",
		old: "beyond*smooth(g.consent.share)", new: "beyond",
		tests: "^TestHighTorqueNeedsConsent$",
	},
	{
		name: "a held key is consent",
		file: "internal/guard/guard.go", function: "New",
		old: "edge{held: true}", new: "edge{}",
		tests: "^TestAKeyHeldFromTheBeginningIsNoConsent$",
	},
	{
		name: "consent outlives a fault",
		file: "internal/guard/consent.go", function: "(*consent).step",
		old: "c.given, c.share = false, 0", new: "c.share = 0",
		tests: "^TestTroubleTakesTheConsent$",
	},
	{
		name: "trouble fades instead of cutting the torque",
		file: "internal/guard/guard.go", function: "(*Guard).fade",
		old: "g.state == Fault || g.state == Stopped || !in.WheelPresent", new: "!in.WheelPresent",
		tests: "^TestTroubleAndItsEnd$",
	},
	{
		name: "a wheel that returns has all its torque",
		file: "internal/guard/guard.go", function: "(*Guard).fade",
		old: " || !in.WheelPresent", new: "",
		tests: "^TestAWheelThatReturnsFadesIn$",
	},
	{
		name: "no limit at the gate",
		file: "internal/guard/guard.go", function: "(*Guard).Gate",
		old: "max(-limit, min(limit, torque))", new: "torque + 0*limit",
		tests: "^TestLimitHolds$",
	},
	{
		name: "NaN passes the gate",
		file: "internal/guard/guard.go", function: "finite",
		old: "!math.IsNaN(v) && ", new: "",
		tests: "^TestWhatIsNotANumberNeverPasses$",
	},
	{
		name: "a bad leg leaves the torque on",
		file: "internal/guard/guard.go", function: "(*Guard).Gate",
		old: "g.bad != None", new: "g.bad == BadTorque",
		tests: "^TestWhatIsNotANumberNeverPasses$",
	},
	{
		name: "no fade in",
		file: "internal/guard/guard.go", function: "step",
		old: "min(share+up, 1)", new: "1",
		tests: "^TestTorqueFadesInAndOutWithoutAStep$",
	},
	{
		name: "vibration beyond the room kept for it",
		file: "internal/guard/guard.go", function: "(*Guard).GateShake",
		old: "min(peak, g.room, g.Most())", new: "min(peak, g.Most())",
		tests: "^TestVibrationCountsAgainstTheLimit$",
	},
	{
		name: "the dead man's switch takes the torque alone",
		file: "internal/guard/interlock.go", function: "(*Guard).Motion",
		old: " * smooth(g.held)", new: "",
		tests: "^TestDeadMan$|^TestMotionObeysTheDeadMan$",
	},
	{
		name: "a closed belt needs no word of the operator",
		file: "internal/guard/interlock.go", function: "(*Guard).fasten",
		old: "g.belt && !in.Unbelted && g.clear.now && rests", new: "g.belt && !in.Unbelted && rests",
		tests: "^TestAnOpenBeltEndsTheDrive",
	},
	{
		name: "a rim that nobody holds keeps its torque",
		file: "internal/guard/consent.go", function: "(*hands).step",
		old: "h.alone >= cfg.HandsOff", new: "h.alone < 0",
		tests: "^TestHandsOff$",
	},
	{
		name: "NaN is a hand on the rim",
		file: "internal/guard/consent.go", function: "(*hands).step",
		old: "on >= handsOn", new: "!(on < handsOn)",
		tests: "^TestHandsOff$",
	},
	{
		name: "a held release clears a stop",
		file: "internal/guard/guard.go", function: "(*edge).step",
		old: "order && !e.held", new: "order",
		tests: "^TestAReleaseFromBeforeAStopDoesNotClearIt$",
	},
}

var rigMutants = []mutant{
	{
		name: "throttle though nobody steers",
		file: "internal/rig/hands.go", function: "(*person).input",
		old: "		in.Throttle = 0 // nobody steers: the car coasts\n", new: "",
		tests: "^TestACarThatNobodySteersCoasts$",
	},
	{
		name: "an unplugged wheel stays turned",
		file: "internal/rig/hands.go", function: "(*person).input",
		old: "towards(p.steer, 0, freeRim*r.dt)", new: "p.steer",
		tests: "^TestACarThatNobodySteersCoasts$",
	},
	{
		name: "throttle and brake are swapped",
		file: "internal/rig/hands.go", function: "(*person).input",
		old: "Throttle: p.feet.Throttle, Brake: p.feet.Brake", new: "Throttle: p.feet.Brake, Brake: p.feet.Throttle",
		tests: "^TestACarThatNobodySteersCoasts$",
	},
	{
		name: "a stop switch is not asked",
		file: "internal/rig/estop.go", function: "ask",
		old: "in.Stop = in.Stop || stopped", new: "in.Stop = in.Stop && stopped",
		tests: "^TestAStopSwitchAndItsRelayAreAsked$",
	},
	{
		name: "a relay that failed is no fault",
		file: "internal/rig/estop.go", function: "ask",
		old: "estop.RelayFailed, ", new: "",
		tests: "^TestAStopSwitchAndItsRelayAreAsked$",
	},
	{
		name: "the relay holds in a fault",
		file: "internal/rig/estop.go", function: "power",
		old: "guard.Parked, guard.Fault, guard.Stopped", new: "guard.Parked, guard.Stopped",
		tests: "^TestTheRelayHoldsWhileTheRigIsInUse$",
	},
	{
		name: "an open belt is overruled by the button",
		file: "internal/rig/interlock.go", function: "(*interlock).ask",
		old: "i.open || open", new: "i.open && open",
		tests: "^TestBeltAndButtonMustBothBeClosed$",
	},
	{
		name: "the torque is pushed before the gate",
		file: "internal/rig/rig.go", function: "(*Rig).Tick",
		old: "r.wheel.Push(r.torque)", new: "r.wheel.Push(torque)",
		tests: "^TestOnlyWhatPassesTheGuardIsSent$",
	},
	{
		name: "the legs go past the gate",
		file: "internal/rig/rig.go", function: "(*Rig).Tick",
		old: "r.torque, r.legs = r.guard.Gate(torque, legs)", new: "r.torque, _ = r.guard.Gate(torque, legs); r.legs = legs",
		tests: "^TestOnlyWhatPassesTheGuardIsSent$",
	},
	{
		name: "an emergency stop does not halt the platform",
		file: "internal/rig/rig.go", function: "(*Rig).move",
		old: "		r.platform.Halt()\n", new: "",
		tests: "^TestOnlyWhatPassesTheGuardIsSent$",
	},
	{
		name: "a car that is not made of numbers is no fault",
		file: "internal/rig/rig.go", function: "(*Rig).circumstances",
		old: "in.StateOK = finite(&r.state)", new: "in.StateOK = true",
		tests: "^TestOnlyWhatPassesTheGuardIsSent$",
	},
	{
		name: "the vibration has no room left by the force",
		file: "internal/rig/vibrate.go", function: "(*Rig).rated",
		old: "	r.guard.Keep(room)\n", new: "",
		tests: "^TestRoomForTheVibrationIsKeptEverywhere$",
	},
}
