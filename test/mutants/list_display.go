package main

// displayMutants are faults in how fast and how finely the window draws.
var displayMutants = []mutant{
	{
		name: "the window draws in another quality than asked for",
		file: "internal/rig/run.go", function: "windowCommand",
		old: `"--quality", d.Quality`, new: `"--quality", "auto"`,
		tests: "^TestTheWindowGetsItsSettings$",
	},
	{
		name: "the quality swings along with the load",
		file: "display/auto.go", function: "(*autoQuality).next",
		old: "a.wait = min(2*a.wait, roomAtMost)", new: "a.wait = roomFor",
		tests: "^TestAutoQualityDoesNotSwing$",
	},
	{
		name: "single late pictures lower the quality in the end",
		file: "display/auto.go", function: "(*autoQuality).next",
		old: "max(a.late-lasted, 0)", new: "max(a.late, 0)",
		tests: "^TestAutoQualityForgivesSingleLatePictures$",
	},
	{
		name: "each picture allocates its texts",
		file: "display/hud/hud.go", function: "(*Canvas).Draw",
		old: "c.vertices[:0], c.texts[:0]", new: "c.vertices[:0], nil",
		tests: "^TestDrawAllocatesNothing$",
	},
	{
		name: "ground beside the road is left out",
		file: "display/scene/height_field.go", function: "(*heightField).isHidden",
		old: "if !l.covered", new: "if a == i && !l.covered",
		tests: "^TestGroundBelowTheRoadIsLeftOut$",
	},
}
