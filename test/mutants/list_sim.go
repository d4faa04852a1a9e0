package main

// simMutants are faults in the vehicle physics and its maneuvers.
var simMutants = []mutant{
	{
		name: "the rear wheels get the front pressure",
		file: "sim/brakes/brakes.go", function: "(*System).axlePressure",
		old: "axle == 0 || ", new: "",
		tests: "^TestLimiterHoldsTheRearBack$",
	},
	{
		name: "the handbrake acts on the front axle",
		file: "sim/brakes/brakes.go", function: "(*Params).handbrakeTorques",
		old: "return [2]float64{0, b.HandbrakeTorque / 2}", new: "return [2]float64{b.HandbrakeTorque / 2, 0}",
		tests: "^TestPedalsAndHandBrakesHoldWhatTheyShould$",
	},
	{
		name: "the ABS keeps its state when it is off",
		file: "sim/brakes/abs.go", function: "(*antilock).reset",
		old: "		s.Wheels[i].ABS = ABSWheel{}\n", new: "		_ = i\n",
		tests: "^TestAnAntilockThatIsOffRemembersNothing$",
	},
	{
		name: "brake discs never cool",
		file: "sim/brakes/disc.go", function: "(*rotor).nextTemperature",
		old: "power-cooling", new: "power-0*cooling",
		tests: "^TestDiscsCoolByHalfInTheirHalfLife$",
	},
	{
		name: "Ackermann turns the outer wheel more",
		file: "sim/steering/steering.go", function: "(*System).WheelAngles",
		old: "ackermann(mean, tan, -g.halfTrackRatio, g.ackermann)", new: "ackermann(mean, tan, g.halfTrackRatio, g.ackermann)",
		tests: "^TestAckermannLeads",
	},
	{
		name: "the steering has no lock",
		file: "sim/steering/steering.go", function: "(*System).MeanAngle",
		old: "min(max(mean, -g.maxAngle), g.maxAngle)", new: "mean",
		tests: "^TestSteeringStopsAtItsLock$",
	},
	{
		name: "only one rear wheel steers",
		file: "sim/steering/steering.go", function: "(*System).WheelAngles",
		old: "		a.Angle[tire.RR] = a.Angle[tire.RL]\n", new: "",
		tests: "^TestRearWheelsSteerBySpeed$",
	},
	{
		name: "a speed in km/h is read as m/s",
		file: "sim/steering/steering.go", function: "New",
		old: "at.Speed/3.6", new: "at.Speed",
		tests: "^TestRearWheelsSteerBySpeed$",
	},
	{
		name: "wings produce lift instead of downforce",
		file: "sim/chassis/aero.go", function: "AeroSurface.prepare",
		old: "a.Lift + half*a.LiftArea", new: "-a.Lift - half*a.LiftArea",
		tests: "^TestASurfacePushesAtItsPlace$",
	},
	{
		name: "the lift of a wing differs in its last bit",
		file: "sim/chassis/aero.go", function: "(*Body).surfaceForce",
		old: "exposed*v.lift*(speedSquared-vertical*vertical)", new: "exposed*(v.lift*(speedSquared-vertical*vertical))",
		tests: "^TestGoldenCars$", pkg: "internal/config",
	},
	{
		name: "the lateral acceleration that the driver model feels differs in its last bit",
		file: "sim/driver/driver.go", function: "(*Model).Drive",
		old: "(side - m.lateralAccel) * min(d.dt/smoothing, 1)", new: "side*min(d.dt/smoothing, 1) - m.lateralAccel*min(d.dt/smoothing, 1)",
		tests: "^TestGoldenDriver$",
	},
	{
		name: "a tail wind increases the drag",
		file: "sim/chassis/aero.go", function: "(*Body).AddAir",
		old: "r3.Sub(s.Vel, b.wind.velocity(tick))", new: "r3.Add(s.Vel, b.wind.velocity(tick))",
		tests: "^TestTheWholeCarsDrag",
	},
	{
		name: "a body in free flight moves by the speed before the step only",
		file: "sim/chassis/body.go", function: "(*Body).Step",
		old: "meanVel = r3.Scale(0.5, r3.Add(velBefore, s.Vel))", new: "meanVel = r3.Scale(0.5, r3.Add(velBefore, velBefore))",
		tests: "^TestABodyInFreeFlight$",
	},
	{
		name: "sliding wheels are treated as part of the body's mass",
		file: "sim/chassis/mass.go", function: "newMasses",
		old: "inverse(m.massMatrix(fixed))", new: "inverse(m.massMatrix(15))",
		tests: "^TestWheelsThatSlideKeepTheMomentum$|^TestFreeWheelsDoNotResist$",
	},
	{
		name: "wet ground does not reduce the friction of the body",
		file: "sim/chassis/contact.go", function: "(*Body).findCornerContacts",
		old: "ground.Surface.Grip *= slick.Remaining(ground.AreaNumber)", new: "_ = slick",
		tests: "^TestARubbingBoxSlowsByItsFriction$",
	},
	{
		name: "the engine runs with an empty tank",
		file: "sim/driveline/fuel.go", function: "drain",
		old: "max(before-take, 0)", new: "max(before-take, 1e-9)",
		tests: "^TestAnEmptyTankStopsTheEngine$|^TestDrainLosesNothing$",
	},
	{
		name: "the pit limiter does not reduce the throttle in time",
		file: "sim/assist/pitlimiter.go", function: "(*Electronics).limitPitSpeed",
		old: "limit < o.Throttle", new: "limit < o.Throttle-1",
		tests: "^TestThePitLimiterHoldsAMass$",
	},
	{
		name: "a tire uses the longitudinal relaxation length laterally",
		file: "sim/tire/wheel.go", function: "NewWheel",
		old: "w.perRelaxationY = 1 / p.RelaxationY", new: "w.perRelaxationY = 1 / p.RelaxationX",
		tests: "^TestSlipAngleBuildsUpOverTheRelaxationLength$",
	},
	{
		name: "a tire on the other side is not mirrored",
		file: "sim/tire/mirror.go", function: "Mirrored.Forces",
		old: "-f.Fy, -f.Mx, -f.Mz", new: "-f.Fy, f.Mx, -f.Mz",
		tests: "^TestATireOnTheOtherSide",
	},
	{
		name: "the fuel of a lap is that in the tank",
		file: "sim/maneuver/lap.go", function: "(*lapRun).drive",
		old: "run.record.fuel += before.Driveline.Fuel - t.State.Driveline.Fuel", new: "run.record.fuel = -t.State.Driveline.Fuel",
		tests: "^TestFuelIsWhatBurnsEvenIfNoLapBegins$",
	},
	{
		name: "a drop test uses radius_m instead of the tire file",
		file: "sim/maneuver/drop.go", function: "drop",
		old: "front, rear := t.Params.Front.Radius(), t.Params.Rear.Radius()", new: "front, rear := t.Params.Front.Wheel.Radius, t.Params.Rear.Wheel.Radius",
		tests: "^TestRadiusComesFromTheTireFile$",
	},
	{
		name: "the weave counts the column's torque as the driver's",
		file: "sim/maneuver/weave.go", function: "(*weaveCycle).take",
		old: "c.torque[i] -= ", new: "c.torque[i] += ",
		tests: "^TestCasterTrailAddsItsWeightToTheWeavesTorque$|^TestRackFrictionIsTheHysteresisOfTheWeave$",
	},
	{
		name: "steering friction is the whole height of the loop",
		file: "sim/maneuver/weave.go", function: "(*Result).addTorqueOverAy",
		old: "hysteresis(c.ay, c.torque)/2", new: "hysteresis(c.ay, c.torque)",
		tests: "^TestRackFrictionIsTheHysteresisOfTheWeave$",
	},
	{
		name: "the gradient of a loop is that of its rising branch",
		file: "sim/maneuver/loop.go", function: "slope",
		old: "if change < 0 {", new: "if change < -1 {",
		tests: "^TestWeaveFiguresOfADrawnLoop$",
	},
	{
		name: "the weave's last angle is not that of its target",
		file: "sim/maneuver/weave.go", function: "(*run).weaveAmplitude",
		old: "weaveAy/max(peakAy, 1e-9)", new: "2*weaveAy/max(peakAy, 1e-9)",
		tests: "^TestWeaveSensitivityIsTheSingleTrackModels$",
	},
}

// inputMutants are faults in calibration, in reading the kernel's input nodes, and in the memory that rig
// shares with its display.
var inputMutants = []mutant{
	{
		name: "a calibrated wheel turns the other way",
		file: "calib/profile.go", function: "(*WheelProfile).Angle",
		old: "float64(p.Center) - float64(raw)", new: "float64(raw) - float64(p.Center)",
		tests: "^ExampleWheelProfile_Angle$|^TestWheelThatCountsLeft$",
	},
	{
		name: "the force effects of a calibration have no end",
		file: "calib/force.go", function: "",
		old: "100 * time.Millisecond", new: "0",
		tests: "^TestEveryForceOfAMeasurementHasADeadMan$",
	},
	{
		name: "a calibration leaves its force on",
		file: "calib/force.go", function: "(*motorTest).endForce",
		old: "d.src.Pulse(0, pulseLength)", new: "error(nil)",
		tests: "^TestForceWithoutAScale$",
	},
	{
		name: "a calibration exceeds the torque limit",
		file: "calib/motor_curve.go", function: "(*motorTest).confirmLevel",
		old: "nm > d.opt.MaxNm", new: "nm < 0",
		tests: "^TestForceStaysBelowTheLimit$",
	},
	{
		name: "any answer except \"no\" counts as consent",
		file: "calib/ui.go", function: "(*UI).Consent",
		old: `answer == "yes"`, new: `answer != "no"`,
		tests: "^TestOnlyYesIsConsent$",
	},
	{
		name: "the length of an effect is in seconds instead of milliseconds",
		file: "internal/evdev/force.go", function: "milliseconds",
		old: "d.Milliseconds()", new: "int64(d.Seconds())",
		tests: "^TestSineAsTheKernelReadsIt$",
	},
	{
		name: "events after a loss are used",
		file: "internal/evdev/input.go", function: "(*Input).apply",
		old: "case in.eventsLost, ev.micros() < in.stateTime:", new: "case ev.micros() < in.stateTime:",
		tests: "^TestInputIgnoresEventsAfterALoss$",
	},
	{
		name: "reading an unplugged node never ends",
		file: "internal/evdev/node.go", function: "(*Node).poll",
		old: "unix.POLLHUP|unix.POLLERR|unix.POLLNVAL", new: "unix.POLLNVAL",
		tests: "^TestWaitReportsADisconnectedDevice$",
	},
	{
		name: "a frame is read while it is written",
		file: "internal/latest/latest.go", function: "(*Cell[T]).Get",
		old: "if atomic.LoadUint64(&c.number) == n {", new: "if true {",
		tests: "^TestReadersMeetWholeValuesInOrder$",
	},
	{
		name: "a value is announced before it is written completely",
		file: "internal/latest/latest.go", function: "(*Cell[T]).Put",
		old: "	n++\n", new: "	n++\n	atomic.StoreUint64(&c.number, n)\n",
		tests: "^TestReadersMeetWholeValuesInOrder$",
	},
	{
		name: "any user may watch the drive",
		file: "internal/page/socket.go", function: "(*Socket).sendPage",
		old: "!s.place.groupReadable && uid != os.Geteuid()", new: "false && uid != os.Geteuid()",
		tests: "^TestASecondUserGetsNoPage$",
	},
	{
		name: "the page of another user is watched",
		file: "internal/page/socket.go", function: "open",
		old: "uid != os.Geteuid() && uid != 0 && uid != at.owner", new: "false",
		tests: "^TestAStrangersSocketIsNotWatched$",
	},
	{
		name: "the page's memory can be truncated",
		file: "internal/page/memory.go", function: "allocateAndSeal",
		old: "unix.F_ADD_SEALS, seals)", new: "unix.F_ADD_SEALS, unix.F_SEAL_SEAL)",
		tests: "^TestHoldersOfAPageCannotHarmIt$",
	},
	{
		name: "memory that can be truncated is mapped",
		file: "internal/page/memory.go", function: "checkMemory",
		old: "got&seals != seals", new: "got == 0",
		tests: "^TestAPageIsCheckedBeforeItIsMapped$",
	},
	{
		name: "a folder of another user is used",
		file: "internal/page/socket_place.go", function: "socketPlace.requirePrivate",
		old: "(int(st.Uid) != os.Geteuid() || st.Mode&rights != 0)", new: "false",
		tests: "^TestWhereARigListens$",
	},
}
