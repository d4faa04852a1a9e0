package main

// forceMutants are faults in the force-feedback chain.
var forceMutants = []mutant{
	{
		name: "the car's end stop comes on top of the wheel's soft lock",
		file: "ffb/ffb.go", function: "columnTorque",
		old: "car.ColumnTorque - car.Steering.Stop", new: "car.ColumnTorque - 0*car.Steering.Stop",
		tests: "^TestTheCarsEndStopIsNotFelt$",
	},
	{
		name: "the force chain keeps NaN after a fault",
		file: "ffb/ffb.go", function: "(*Chain).resetToZero",
		old: "	*s = f.Start()\n", new: "	f.Reset(s)\n",
		tests: "^TestNaNInWhatTheForceRemembers",
	},
	{
		name: "a swinging rim is not damped",
		file: "ffb/rim.go", function: "(*rim).step",
		old: "swingShare(speed, t.HandsOn, s.swing.level)", new: "0",
		tests: "^TestNoStiffCarHasALimitCycle$", pkg: "internal/lab/rimlab",
	},
	{
		name: "a swinging rim is damped beyond what its delay allows",
		file: "ffb/rim.go", function: "(*rim).damping",
		old: "math.Pi/4*", new: "math.Pi/2*",
		tests: "^TestASwingingRimIsDampedUpToHalfOfTheBoundary$",
	},
	{
		name: "the lead ignores the car's damping",
		file: "ffb/rim.go", function: "(*rim).phaseLead",
		old: "s.stiffness.damping*gain", new: "0",
		tests: "^TestTheLeadKnowsTheDampingThatItLearned$", pkg: "ffb",
	},
	{
		name: "the car's stiffness counts as its damping",
		file: "ffb/stiffness.go", function: "(*stiffness).learnDamping",
		old: "(rate+s.value*speed)", new: "(rate+s.value*accel)",
		tests: "^TestTheCarsOwnDampingIsLearned$",
	},
	{
		name: "motion cueing keeps NaN after a fault",
		file: "cueing/cueing.go", function: "(*Cue).Next",
		old: "		c.Reset(s)\n", new: "",
		tests: "^TestNaNInWhatCueingRemembers",
	},
	{
		name: "the torque has the wrong sign",
		file: "ffb/ffb.go", function: "(*Chain).sumRequest",
		old: "t.Column = columnTorque(car)", new: "t.Column = -columnTorque(car)",
		tests: "^TestTorqueFollowsTheColumn$",
	},
	{
		name: "the torque is not limited after the reconstruction filter",
		file: "ffb/ffb.go", function: "(*Chain).limitTorque",
		old: "t.Sent = f.slewAndClamp(f.reconstruction.next(&s.reconstruction, t.Slewed, rate, s.tuned.cutoff), lastSent, limit)", new: "t.Sent = f.reconstruction.next(&s.reconstruction, t.Slewed, rate, s.tuned.cutoff)",
		tests: "^TestNoOvershootPassesTheLimits$",
	},
	{
		name: "the force chain has no slew limit",
		file: "ffb/ffb.go", function: "(*Chain).slewAndClamp",
		old: "min(max(to, from-f.slew), from+f.slew)", new: "to",
		tests: "^TestTorqueGrowsNoFasterThanTheSlewLimit$",
	},
	{
		name: "the configured limit is ignored",
		file: "ffb/ffb.go", function: "(*Chain).Torque",
		old: "min(w.Rated, f.cfg.MaxTorque)", new: "w.Rated",
		tests: "^TestTorqueFollowsTheColumn$|^TestNoOvershootPassesTheLimits$",
	},
	{
		name: "NaN in the car's torque is accepted",
		file: "ffb/ffb.go", function: "(*Chain).Torque",
		old: "!valid.Finite(columnTorque(car)) || ", new: "",
		tests: "^TestNaNGivesNoTorque$",
	},
	{
		name: "a fault keeps the old torque",
		file: "ffb/ffb.go", function: "(*Chain).resetToZero",
		old: "	*s = f.Start()\n", new: "",
		tests: "^TestAFaultForgetsTheTorqueBefore$",
	},
	{
		name: "the rim's state is kept when the car is teleported",
		file: "ffb/ffb.go", function: "(*Chain).Teleported",
		old: "	s.rim = rimState{}\n", new: "",
		tests: "^TestACarPutElsewhereStrikesNoBlow$",
	},
	{
		name: "the state of the effects is kept when the car is teleported",
		file: "ffb/ffb.go", function: "(*Chain).Teleported",
		old: "	s.effects = effectsState{}\n", new: "",
		tests: "^TestResetKeepsNothingElse$",
	},
	{
		name: "a fault resets the driver's gain",
		file: "ffb/ffb.go", function: "(*Chain).resetToZero",
		old: "s.strength.gain, s.tuned, s.fault = gain, tuned, true", new: "_, s.tuned, s.fault = gain, tuned, true",
		tests: "^TestAFaultKeepsTheGainAlone$",
	},
	{
		name: "the force chain keeps data outside its state",
		file: "ffb/ffb.go", function: "(*Chain).Torque",
		old: "	s.applied = s.trace.Sent\n", new: "	s.applied = s.trace.Sent\n	f.slew *= 0.9999\n",
		tests: "^TestACopyOfTheStateRepeatsTheDrive$",
	},
	{
		name: "the damping accelerates the rim",
		file: "ffb/rim.go", function: "(*rim).step",
		old: "t.Damping = -r.damping", new: "t.Damping = r.damping",
		tests: "^TestRimResistsItsSpeed$",
	},
	{
		name: "the damping of a wheel with a long delay is not limited",
		file: "ffb/rim.go", function: "(*rim).damping",
		old: "min(always+swing*max(r.cfg.RimInertia/stopTime-always, 0), math.Pi/4*r.cfg.RimInertia/delay)", new: "always + swing*max(r.cfg.RimInertia/stopTime-always, 0) + 0*delay",
		tests: "^TestRimResistsItsSpeed$",
	},
	{
		name: "the soft lock acts on one side only",
		file: "ffb/softlock.go", function: "(*softLock).torque",
		old: "math.Abs(m.angle) - l.lock", new: "m.angle - l.lock",
		tests: "^TestSoftLock$|^TestRimMirrors$",
	},
	{
		name: "the rim of an absent wheel is simulated",
		file: "ffb/rim.go", function: "(*rim).step",
		old: "!w.Present || ", new: "",
		tests: "^TestRimOfAnAbsentWheelIsForgotten$",
	},
	{
		name: "the soft limit exceeds its maximum",
		file: "ffb/limit.go", function: "softLimit",
		old: "over/(over+span)", new: "over/span",
		tests: "^TestKneeIsLinearBelowAndBendsAsItsFormula$",
	},
	{
		name: "the automatic strength adapts while the car is paused",
		file: "ffb/strength.go", function: "(*strength).step",
		old: "if !moved {", new: "if false {",
		tests: "^TestAPausedCarTeachesNothing$",
	},
}

// cueingMutants are faults in motion cueing and the kinematics of the platform.
var cueingMutants = []mutant{
	{
		name: "the platform pitches the wrong way",
		file: "cueing/coordination.go", function: "(*tiltCoordination).next",
		old: "sinPitch := -clampSine(", new: "sinPitch := clampSine(",
		tests: "^TestTiltShowsTheForceByGravity$|^TestOnsetsMoveThePlatform",
	},
	{
		name: "roll and pitch are swapped",
		file: "cueing/limits.go", function: "(*limits).next",
		old: "Roll: v[3], Pitch: v[4]", new: "Roll: v[4], Pitch: v[3]",
		tests: "^TestPoseFollowsTheBody$",
	},
	{
		name: "the position limit is in degrees instead of radians",
		file: "cueing/limits.go", function: "newLimits",
		old: "newLimiter(maxPosition*degree, ", new: "newLimiter(maxPosition, ",
		tests: "^TestPoseFollowsTheBody$|^TestWildDrivesStay",
	},
	{
		name: "a cueing limiter leaves its range",
		file: "cueing/limiter.go", function: "(*limiter).next",
		old: "s.position = l.clamp(s.position + s.step)", new: "s.position = s.position + 2*s.step",
		tests: "^TestLimiterGoesStraightToItsTarget$|^TestLimiterStopsBefore",
	},
	{
		name: "the tilt rate is a hundred times its limit",
		file: "cueing/coordination.go", function: "newTiltCoordination",
		old: "c.MaxTiltRate*degree", new: "100*c.MaxTiltRate*degree",
		tests: "^TestTuningKeepsTheTiltsRate$|^TestTiltShows",
	},
	{
		name: "a reset keeps the state of the limiters",
		file: "cueing/state.go", function: "(*Cue).Reset",
		old: "*s = State{", new: "*s = State{limits: s.limits",
		tests: "^TestResetIsLevel$",
	},
	{
		name: "the search for a pose starts with the slide and belt of the pose before",
		file: "cueing/workspace.go", function: "(*Platform).Pose",
		old: "	near.Slide, near.Belt = 0, 0\n", new: "",
		tests: "^TestASearchBeginsNearby$",
	},
	{
		name: "NaN in the legs resets the pose",
		file: "cueing/workspace.go", function: "(*Platform).Pose",
		old: "return near, false", new: "return Pose{}, false",
		tests: "^TestASearchBeginsNearby$|^TestGoldenMotion$",
	},
	{
		name: "NaN is accepted as a cueing input",
		file: "cueing/inputs.go", function: "(*Inputs).isFinite",
		old: "return sum <= maxMagnitude*maxMagnitude", new: "return !(sum > maxMagnitude*maxMagnitude)",
		tests: "^TestNaNLevelsThePlatform$|^TestInputsThatNothing",
	},
	{
		name: "the angular acceleration has the wrong sign",
		file: "cueing/inputs.go", function: "(*headSensor).headAcceleration",
		old: "r3.Sub(rate, s.lastRate)", new: "r3.Sub(s.lastRate, rate)",
		tests: "^TestHeadFeelsWhatTurningAdds$",
	},
	{
		name: "legs exceed their stroke",
		file: "cueing/workspace.go", function: "(*Platform).softLoad",
		old: "load <= edgeStart", new: "load >= 0",
		tests: "^TestNoPoseLeavesTheWorkspace$|^TestPoseBeyondIsScaled$",
	},
	{
		name: "the workspace ignores the room of the legs",
		file: "cueing/workspace.go", function: "(*Platform).legsAndLoad",
		old: "room < neutral", new: "false",
		tests: "^TestReachIsThatOfTheSpan$",
	},
	{
		name: "the cueing test ignores the tuning",
		file: "internal/lab/omct/measurement.go", function: "newMeasurement",
		old: "	d.state.Tune(p.Tuning)\n", new: "",
		tests: "^TestTuningChangesTheResult$",
	},
	{
		name: "a hexapod's legs move the wrong way",
		file: "cueing/kinematics_hexapod.go", function: "(*hexapod).legs",
		old: "neutral+offset", new: "neutral-offset",
		tests: "^TestHexapodAlongOneFreedom$",
	},
	{
		name: "direct mode pitches the wrong way when braking",
		file: "cueing/direct.go", function: "(*directMode).next",
		old: "-in.Force[0]*d.brakingGain", new: "in.Force[0]*d.brakingGain",
		tests: "^TestDirectModeShowsGAndOffsets$",
	},
}
