package main

var feelMutants = []mutant{
	{
		name: "the force remembers NaN after a fault",
		file: "ffb/ffb.go", function: "(*Feel).fail",
		old: "	*s = f.Start()\n", new: "	f.Reset(s)\n",
		tests: "^TestNaNInWhatTheForceRemembers",
	},
	{
		name: "cueing remembers NaN after a fault",
		file: "cueing/cueing.go", function: "(*Cue).Next",
		old: "		c.Reset(s)\n", new: "",
		tests: "^TestNaNInWhatCueingRemembers",
	},
	{
		name: "the force pulls into the bend",
		file: "ffb/ffb.go", function: "(*Feel).ask",
		old: "t.Column = car.ColumnTorque", new: "t.Column = -car.ColumnTorque",
		tests: "^TestTorqueFollowsTheColumn$",
	},
	{
		name: "no limit behind the reconstruction",
		file: "ffb/ffb.go", function: "(*Feel).deliver",
		old: "t.Sent = f.within(f.rebuild.next(&s.rebuild, t.Slewed, rate), sent, most)", new: "t.Sent = f.rebuild.next(&s.rebuild, t.Slewed, rate)",
		tests: "^TestNoOvershootPassesTheLimits$",
	},
	{
		name: "the torque steps",
		file: "ffb/ffb.go", function: "(*Feel).within",
		old: "min(max(to, from-f.slew), from+f.slew)", new: "to",
		tests: "^TestTorqueGrowsNoFasterThanTheSlewLimit$",
	},
	{
		name: "the configured limit is ignored",
		file: "ffb/ffb.go", function: "(*Feel).Torque",
		old: "min(w.Rated, f.cfg.MaxTorque)", new: "w.Rated",
		tests: "^TestTorqueFollowsTheColumn$|^TestNoOvershootPassesTheLimits$",
	},
	{
		name: "NaN of the car's torque",
		file: "ffb/ffb.go", function: "(*Feel).Torque",
		old: "!finite(car.ColumnTorque) || ", new: "",
		tests: "^TestNotANumberGivesNoTorque$",
	},
	{
		name: "a fault keeps the old torque",
		file: "ffb/ffb.go", function: "(*Feel).fail",
		old: "	*s = f.Start()\n", new: "",
		tests: "^TestAFaultForgetsTheTorqueBefore$",
	},
	{
		name: "a car put elsewhere strikes a blow",
		file: "ffb/ffb.go", function: "(*Feel).Teleported",
		old: "	s.rim = rimState{}\n", new: "",
		tests: "^TestACarPutElsewhereStrikesNoBlow$",
	},
	{
		name: "the rim is driven by its damping",
		file: "ffb/rim.go", function: "(*rim).step",
		old: "t.Damping = -r.damping", new: "t.Damping = r.damping",
		tests: "^TestRimResistsItsSpeed$",
	},
	{
		name: "no bound for the damping of a late wheel",
		file: "ffb/rim.go", function: "(*rim).damping",
		old: "min(r.cfg.Damping*rated, math.Pi/4*r.cfg.Own/late)", new: "r.cfg.Damping * rated",
		tests: "^TestRimResistsItsSpeed$",
	},
	{
		name: "the lock is on one side",
		file: "ffb/softlock.go", function: "(*softLock).torque",
		old: "math.Abs(m.angle) - l.from", new: "m.angle - l.from",
		tests: "^TestSoftLock$|^TestRimMirrors$",
	},
	{
		name: "an absent wheel is stepped",
		file: "ffb/rim.go", function: "(*rim).step",
		old: "!w.Present || ", new: "",
		tests: "^TestRimOfAnAbsentWheelIsForgotten$",
	},
	{
		name: "the knee passes the limit",
		file: "ffb/limit.go", function: "soft",
		old: "over/(over+room)", new: "over/room",
		tests: "^TestKneeIsLinearBelowAndBendsAsItsFormula$",
	},
	{
		name: "a paused car is learned from",
		file: "ffb/strength.go", function: "(*strength).step",
		old: "if !moved {", new: "if false {",
		tests: "^TestAPausedCarTeachesNothing$",
	},
}

var cueingMutants = []mutant{
	{
		name: "the seat leans out of the bend",
		file: "cueing/coordination.go", function: "(*tilt).next",
		old: "nose := -steepest(", new: "nose := steepest(",
		tests: "^TestTiltShowsTheForceByGravity$|^TestOnsetsMoveThePlatform",
	},
	{
		name: "roll and pitch are swapped",
		file: "cueing/limits.go", function: "(*limits).next",
		old: "Roll: v[3], Pitch: v[4]", new: "Roll: v[4], Pitch: v[3]",
		tests: "^TestPoseFollowsTheBody$",
	},
	{
		name: "degrees where radians belong",
		file: "cueing/limits.go", function: "newLimits",
		old: "newLimiter(most*degree, ", new: "newLimiter(most, ",
		tests: "^TestPoseFollowsTheBody$|^TestWildDrivesStay",
	},
	{
		name: "a limiter leaves its range",
		file: "cueing/limiter.go", function: "(*limiter).next",
		old: "s.at = l.within(s.at + s.step)", new: "s.at = s.at + 2*s.step",
		tests: "^TestLimiterGoesStraightToItsTarget$|^TestLimiterStopsBefore",
	},
	{
		name: "tilt as quick as it likes",
		file: "cueing/coordination.go", function: "newTilt",
		old: "c.TiltRate*degree", new: "100*c.TiltRate*degree",
		tests: "^TestTuningKeepsTheTiltsRate$|^TestTiltShows",
	},
	{
		name: "a platform forgets nothing on reset",
		file: "cueing/state.go", function: "(*Cue).Reset",
		old: "*s = State{", new: "*s = State{limits: s.limits, ",
		tests: "^TestResetIsLevel$",
	},
	{
		name: "a search for a pose begins with the slide and the belt of another",
		file: "cueing/workspace.go", function: "(*Platform).Pose",
		old: "	near.Slide, near.Belt = 0, 0\n", new: "",
		tests: "^TestASearchBeginsNearby$",
	},
	{
		name: "legs of NaN forget the pose before",
		file: "cueing/workspace.go", function: "(*Platform).Pose",
		old: "return near, false", new: "return Pose{}, false",
		tests: "^TestASearchBeginsNearby$|^TestGoldenMotion$",
	},
	{
		name: "NaN is an input",
		file: "cueing/inputs.go", function: "(*Inputs).finite",
		old: "return sum <= most*most", new: "return !(sum > most*most)",
		tests: "^TestNotANumberLevelsThePlatform$|^TestInputsThatNothing",
	},
	{
		name: "an angular acceleration of the wrong sign",
		file: "cueing/inputs.go", function: "(*sense).turning",
		old: "r3.Sub(rate, s.last)", new: "r3.Sub(s.last, rate)",
		tests: "^TestHeadFeelsWhatTurningAdds$",
	},
	{
		name: "legs go beyond their ends",
		file: "cueing/workspace.go", function: "(*Platform).allowed",
		old: "load <= free", new: "load >= 0",
		tests: "^TestNoPoseLeavesTheWorkspace$|^TestPoseBeyondIsScaled$",
	},
	{
		name: "the workspace does not know how far the legs may go",
		file: "cueing/workspace.go", function: "(*Platform).loaded",
		old: "room < neutral", new: "false",
		tests: "^TestReachIsThatOfTheSpan$",
	},
	{
		name: "the cueing test passes over the tuning",
		file: "internal/omct/drive.go", function: "newDrive",
		old: "	d.state.Tune(p.Tuning)\n", new: "",
		tests: "^TestTuningCounts$",
	},
	{
		name: "a hexapod's legs pull where they push",
		file: "cueing/kinematics_hexapod.go", function: "(*hexapod).legs",
		old: "neutral+off", new: "neutral-off",
		tests: "^TestHexapodAlongOneFreedom$",
	},
	{
		name: "direct mode leans the wrong way when braking",
		file: "cueing/direct.go", function: "(*direct).next",
		old: "-in.Force[0]*d.braking", new: "in.Force[0]*d.braking",
		tests: "^TestDirectModeShowsGAndOffsets$",
	},
}
