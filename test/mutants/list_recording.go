package main

// recordingMutants are faults in recordings and replays.
var recordingMutants = []mutant{
	{
		name: "a tick without room is not counted as missing",
		file: "internal/files/recording/recorder.go", function: "(*Recorder).Before",
		old: "r.lost++", new: "",
		tests: "^TestAHeldUpRecorderLeavesAGap$",
	},
	{
		name: "a recording goes on after a gap without a snapshot",
		file: "internal/files/recording/recorder.go", function: "(*Recorder).Before",
		old: "k.keep = r.gone || wanted", new: "k.keep = wanted",
		tests: "^TestAHeldUpRecorderLeavesAGap$",
	},
	{
		name: "the inputs of a block continue those of the block before",
		file: "internal/files/recording/changes.go", function: "(*changeCoder).reset",
		old: "clear(c.last)", new: "",
		tests: "^TestAWildDriveReplaysFromItsRecording$", pkg: "internal/live/rig",
	},
	{
		name: "a damaged block passes",
		file: "internal/files/recording/reader.go", function: "(*Recording).Block",
		old: "!= c.UncompressedCRC {", new: "!= c.UncompressedCRC && len(records) == 0 {",
		tests: "^TestFlippedBitsAreNoticed$",
	},
	{
		name: "the black box begins where no replay can",
		file: "internal/files/recording/blackbox.go", function: "(*blackBox).add",
		old: "return b.Snapshot })", new: "return true })",
		tests: "^TestTheBlackBox$",
	},
	{
		name: "a block is used again while the file waits for it",
		file: "internal/files/recording/recorder.go", function: "(*Recorder).freeBlock",
		old: "!b.boxed && !b.queued.Load()", new: "!b.boxed",
		tests: "^TestTheFileHasItsBlocksInTime$",
	},
	{
		name: "recordings with a mark are deleted",
		file: "internal/files/recording/folder.go", function: "Prune",
		old: "item.Summary.Marks == 0", new: "true",
		tests: "^TestPrune$",
	},
	{
		name: "a replay does not compare the channels",
		file: "internal/files/replay/verify.go", function: "(*comparison).compare",
		old: "s.Tick != driven ||", new: "true ||",
		tests: "^TestAReplayTellsWhatDiffers$", pkg: "internal/live/rig",
	},
	{
		name: "a player goes to the second before",
		file: "internal/files/replay/player.go", function: "(*Player).Seek",
		old: "for p.tick < tick {", new: "for p.tick+1000 < tick {",
		tests: "^TestAWildDriveReplaysFromItsRecording$", pkg: "internal/live/rig",
	},
}
