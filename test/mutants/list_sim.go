package main

var simMutants = []mutant{
	{
		name: "front pressure for the rear wheels",
		file: "sim/brakes.go", function: "(*brakes).atAxle",
		old: "axle == 0 || ", new: "",
		tests: "^TestLimiterHoldsTheRearBack$",
	},
	{
		name: "the hand brake holds the front",
		file: "sim/brakes.go", function: "(*Brakes).hands",
		old: "return [2]float64{0, b.Handbrake / 2}", new: "return [2]float64{b.Handbrake / 2, 0}",
		tests: "^TestPedalsAndHandBrakesHoldWhatTheyShould$",
	},
	{
		name: "the antilock keeps its state when it is off",
		file: "sim/abs.go", function: "(*antilock).sleep",
		old: "		s.Brakes[i].ABS = ABSWheel{}\n", new: "		_ = i\n",
		tests: "^TestAnAntilockThatIsOffRemembersNothing$",
	},
	{
		name: "discs never cool",
		file: "sim/disc.go", function: "(*rotor).warmed",
		old: "power-lost", new: "power-0*lost",
		tests: "^TestDiscsCoolByHalfInTheirHalfLife$",
	},
	{
		name: "Ackermann turns the outer wheel more",
		file: "sim/steering.go", function: "(*steering).rolling",
		old: "ackermann(mean, tan, -g.half, g.share)", new: "ackermann(mean, tan, g.half, g.share)",
		tests: "^TestAckermannLeads",
	},
	{
		name: "no steering lock",
		file: "sim/steering.go", function: "(*steering).mean",
		old: "min(max(mean, -g.most), g.most)", new: "mean",
		tests: "^TestSteeringStopsAtItsLock$",
	},
	{
		name: "the wrong rear wheel steers",
		file: "sim/steering.go", function: "(*Car).point",
		old: "		a.angle[RR] = a.angle[RL]\n", new: "",
		tests: "^TestRearWheelsSteerBySpeed$",
	},
	{
		name: "km/h where m/s belong",
		file: "sim/steering.go", function: "newSteering",
		old: "at.Speed/3.6", new: "at.Speed",
		tests: "^TestRearWheelsSteerBySpeed$",
	},
	{
		name: "wings lift",
		file: "sim/aero.go", function: "AeroSurface.vane",
		old: "a.Lift + half*a.LiftArea", new: "-a.Lift - half*a.LiftArea",
		tests: "^TestASurfacePushesAtItsPlace$",
	},
	{
		name: "tail wind slows",
		file: "sim/aero.go", function: "(*Car).air",
		old: "r3.Sub(s.Vel, c.wind.at(s.Tick))", new: "r3.Add(s.Vel, c.wind.at(s.Tick))",
		tests: "^TestSideWindPushesToLeeward$|^TestTheWholeCarsDrag",
	},
	{
		name: "an empty tank drives on",
		file: "sim/fuel.go", function: "drain",
		old: "max(before-take, 0)", new: "max(before-take, 1e-9)",
		tests: "^TestAnEmptyTankStopsTheEngine$|^TestDrainLosesNothing$",
	},
	{
		name: "the pit limiter lags",
		file: "sim/pitlimiter.go", function: "(*Car).limit",
		old: "most < o.throttle", new: "most < o.throttle-1",
		tests: "^TestThePitLimiterKeepsItsSpeed$",
	},
	{
		name: "a tire lags by the other length",
		file: "sim/tire/wheel.go", function: "NewWheel",
		old: "w.perY = 1 / p.RelaxationY", new: "w.perY = 1 / p.RelaxationX",
		tests: "^TestSlipAngleBuildsUpOverTheRelaxationLength$",
	},
	{
		name: "a tire on the other side is no mirror image",
		file: "sim/tire/mirror.go", function: "Mirrored.Forces",
		old: "-f.Fy, -f.Mx, -f.Mz", new: "-f.Fy, f.Mx, -f.Mz",
		tests: "^TestATireOnTheOtherSide",
	},
}

// kernelMutants are in what the devices stand on: the kernel's input nodes, calibration,
// the shared page.
var kernelMutants = []mutant{
	{
		name: "a calibrated wheel turns the other way",
		file: "calib/profile.go", function: "(*WheelProfile).Angle",
		old: "float64(p.Center) - float64(raw)", new: "float64(raw) - float64(p.Center)",
		tests: "^ExampleWheelProfile_Angle$|^TestWheelThatCountsLeft$",
	},
	{
		name: "forces of a calibration last for ever",
		file: "calib/force.go", function: "",
		old: "100 * time.Millisecond", new: "0",
		tests: "^TestEveryForceOfAMeasurementHasADeadMan$",
	},
	{
		name: "a calibration leaves its force on",
		file: "calib/force.go", function: "(*dyno).release",
		old: "d.src.Pulse(0, forceLength)", new: "error(nil)",
		tests: "^TestForceWithoutAScale$",
	},
	{
		name: "a calibration above the limit",
		file: "calib/scale.go", function: "(*dyno).agree",
		old: "nm > d.opt.MaxNm", new: "nm < 0",
		tests: "^TestForceStaysBelowTheLimit$",
	},
	{
		name: "any answer is consent",
		file: "calib/ui.go", function: "(*UI).Consent",
		old: `answer == "yes"`, new: `answer != "no"`,
		tests: "^TestOnlyYesIsConsent$",
	},
	{
		name: "an effect's length in seconds",
		file: "internal/evdev/force.go", function: "millis",
		old: "d.Milliseconds()", new: "int64(d.Seconds())",
		tests: "^TestSineAsTheKernelReadsIt$",
	},
	{
		name: "events after a loss are believed",
		file: "internal/evdev/input.go", function: "(*Input).apply",
		old: "case in.lost, ev.micros() < in.asOf:", new: "case ev.micros() < in.asOf:",
		tests: "^TestInputDistrustsEventsAfterALoss$",
	},
	{
		name: "an unplugged node waits for ever",
		file: "internal/evdev/node.go", function: "(*Node).await",
		old: "unix.POLLHUP|unix.POLLERR|unix.POLLNVAL", new: "unix.POLLNVAL",
		tests: "^TestWaitTellsThatTheDeviceIsGone$",
	},
	{
		name: "a torn frame is read",
		file: "internal/page/page.go", function: "read",
		old: "if a&1 == 1 {", new: "if false {",
		tests: "^TestReadGivesUpOnADeadWriter$",
	},
	{
		name: "any user may watch",
		file: "internal/page/socket.go", function: "(*Socket).give",
		old: "!s.place.shared && uid != os.Geteuid()", new: "false && uid != os.Geteuid()",
		tests: "^TestASecondUserGetsNoPage$",
	},
	{
		name: "a stranger's page is watched",
		file: "internal/page/socket.go", function: "open",
		old: "uid != os.Geteuid() && uid != 0 && uid != at.owner", new: "false",
		tests: "^TestAStrangersSocketIsNotWatched$",
	},
	{
		name: "the page can be cut short",
		file: "internal/page/memory.go", function: "prepare",
		old: "unix.F_ADD_SEALS, seals)", new: "unix.F_ADD_SEALS, unix.F_SEAL_SEAL)",
		tests: "^TestHoldersOfAPageCannotHarmIt$",
	},
	{
		name: "what can be cut short is mapped",
		file: "internal/page/memory.go", function: "checkMemory",
		old: "got&seals != seals", new: "got == 0",
		tests: "^TestAPageIsCheckedBeforeItIsMapped$",
	},
	{
		name: "a folder of another user is taken",
		file: "internal/page/place.go", function: "place.closed",
		old: "(int(st.Uid) != os.Geteuid() || st.Mode&rights != 0)", new: "false",
		tests: "^TestWhereARigListens$",
	},
	{
		name: "triangles of an OpenDRIVE road cost any work",
		file: "sim/road/opendrive/mesh.go", function: "(*builder).spend",
		old: "b.work > b.options.MaxWork", new: "false",
		tests: "^TestWorkOnTrianglesIsBounded$",
	},
	{
		name: "elements of an OpenDRIVE file vanish",
		file: "sim/road/opendrive/sieve.go", function: "(*sieve).leaveOut",
		old: "s.form.count(around, name)", new: "_ = around",
		tests: "^TestEveryElementThatIsNotReadIsCounted$",
	},
	{
		name: "an OpenDRIVE file nests without end",
		file: "sim/road/opendrive/sieve.go", function: "(*sieve).next",
		old: "s.depth > s.form.limits.depth", new: "false",
		tests: "^TestFilesBeyondALimitAreRefused$",
	},
	{
		name: "roads with a gap are joined",
		file: "sim/road/opendrive/route_line.go", function: "(*router).join",
		old: "math.Abs(along) > ahead", new: "false",
		tests: "^TestRoutesThatDoNotHold$",
	},
	{
		name: "a road that is driven against its direction leans the wrong way",
		file: "sim/road/opendrive/route.go", function: "leg.seen",
		old: "-p.Bank", new: "p.Bank",
		tests: "^TestARoadDrivenBackLeansTheOtherWay$",
	},
	{
		name: "the ground swings beside kinks of a road",
		file: "sim/road/opendrive/mesh_bends.go", function: "(*builder).guard",
		old: "change > edge || change < 1e-4", new: "true",
		tests: "^TestTheGroundOfARoadLiesNearIt$", pkg: "internal/circuit",
	},
	{
		name: "a probe below a bridge finds the bridge",
		file: "internal/circuit/probe.go", function: "(*Prober).below",
		old: "min(from, p.high)}, r3", new: "p.high}, r3",
		tests: "^TestProbeTellsTheGroundAtPlaces$",
	},
}
