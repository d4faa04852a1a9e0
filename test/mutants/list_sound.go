package main

// soundMutants are faults in what is heard and what shakes.
var soundMutants = []mutant{
	{
		name: "an engine fires once a turn for each cylinder",
		file: "internal/connect/sound/engine.go", function: "firingHz",
		old: "/ 2", new: "/ 1",
		tests: "^TestFiringFrequencyAndHarmonics$",
	},
	{
		name: "a squeal has the same level whatever the tire slides with",
		file: "internal/connect/sound/tires.go", function: "(*squeal).add",
		old: "math.Sqrt(min(w.SlidePower/fullPower, 2))", new: "1",
		tests: "^TestSquealGrowsWithSlidingPower$",
	},
	{
		name: "a level makes a step",
		file: "internal/connect/sound/filter.go", function: "(*gain).toward",
		old: "g.slope = (target - g.value) / (gainTicks * TickSamples)", new: "g.slope = 0; g.value = target",
		tests: "^TestGainsRamp$|^TestAStepOfLevelMakesNoClick$",
	},
	{
		name: "an unknown tick goes on sounding",
		file: "internal/connect/sound/sound.go", function: "(*Synth).Step",
		old: "on := s != nil && s.Audible", new: "on := s == nil || s.Audible",
		tests: "^TestADroppedBlockFades$",
	},
	{
		name: "a pause is heard",
		file: "internal/connect/sound/sense.go", function: "(*Tracker).Next",
		old: "&& f.Flags&frame.Paused == 0", new: "",
		tests: "^TestWhatIsAudible$",
	},
	{
		name: "the limiter looks at the left channel alone",
		file: "internal/connect/sound/limiter.go", function: "(*limiter).next",
		old: "l.ceiling/max(math.Abs(left), math.Abs(right), l.ceiling)", new: "l.ceiling/max(math.Abs(left)/2, l.ceiling)",
		tests: "^TestTheLimiterGivesWayBeforeAPeak$",
	},
	{
		name: "a shaker that is hot is not turned down",
		file: "internal/connect/sound/shaker.go", function: "(*Shaker).coolingGain",
		old: "valid.Clamp((k.heat-0.9)/0.1, 0, 1)", new: "valid.Clamp(0, 0, 1)",
		tests: "^TestAShakerStaysCool$",
	},
	{
		name: "a kerb shakes at any phase",
		file: "internal/connect/sound/shaker.go", function: "(*voice).addKerb",
		old: "f.toothPhase == f.toothPhase", new: "false",
		tests: "^TestKerbsShakeInPhase$",
	},
	{
		name: "the rear wheels meet the teeth with the front ones",
		file: "internal/connect/sound/tires.go", function: "(*teeth).add",
		old: "(s.Station - behind)", new: "s.Station",
		tests: "^TestKerbsSoundInPhaseWithTheirTeeth$",
	},
	{
		name: "a shaker feels the other side's wheels",
		file: "internal/connect/sound/shaker_signals.go", function: "(*shakerSignals).addWheel",
		old: "w := &s.Wheels[i]", new: "w := &s.Wheels[i^1]",
		tests: "^TestPlacesFeelTheirWheels$",
	},
	{
		name: "a game in its menu sounds",
		file: "internal/connect/sound/sense.go", function: "(*Tracker).Next",
		old: "f.Follow.Share > 0", new: "true",
		tests: "^TestWhatAnotherSimulatorTells$",
	},
	{
		name: "a tick that goes on begins its events again",
		file: "internal/connect/sound/sense.go", function: "Sense.Later",
		old: "s.Shift, s.ABSPulse, s.Hit = false, false, 0", new: "",
		tests: "^TestATickThatGoesOn$|^TestLater$",
	},
	{
		name: "a headset of one channel gets both sides in full",
		file: "internal/connect/soundplayer/mix.go", function: "(*mix).fill",
		old: "left, right = (left+right)/2, 0", new: "",
		tests: "^TestMonoKeepsToTheCeiling$",
	},
	{
		name: "a shaker hangs on the sound's channel",
		file: "internal/connect/soundplayer/mix.go", function: "CheckChannel",
		old: "case hasSound &&", new: "case false &&",
		tests: "^TestChannelsThatCannotBe$",
	},
	{
		name: "a device that is slower than the rig falls behind",
		file: "internal/connect/soundplayer/feed.go", function: "(*reader).begin",
		old: "r.feed.count-r.at > limit", new: "limit == 0",
		tests: "^TestAReaderKeepsPace$",
	},
	{
		name: "the newest tick of a dead rig sounds for ever",
		file: "internal/connect/soundplayer/feed.go", function: "(*reader).next",
		old: "!r.known || r.held > maxHeld", new: "!r.known",
		tests: "^TestAReaderKeepsPace$",
	},
	{
		name: "a shaker plays on the channel beside its own",
		file: "internal/connect/soundplayer/mix.go", function: "newMix",
		old: "channel: k.Channel - 1", new: "channel: k.Channel % sink.Channels",
		tests: "^TestADriveIsHeardAndFelt$",
	},
}
