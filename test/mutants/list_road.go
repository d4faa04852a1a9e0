package main

var roadMutants = []mutant{
	{
		name: "a ground far from zero stays there",
		file: "sim/road/origin.go", function: "originAlong",
		old: "low <= originNear && high >= -originNear", new: "low-low == 0",
		tests: "^TestOrigin$",
	},
	{
		name: "degrees are taken as metres",
		file: "sim/road/origin.go", function: "Origin",
		old: "degrees(low, high)", new: "low.X > high.X",
		tests: "^TestOrigin$",
	},
	{
		name: "what lies beyond the border of an OpenCRG road stays when it is moved",
		file: "sim/road/crg/crg.go", function: "(*Road).Shift",
		old: "a.offset -= origin.Z", new: "a.offset -= 0",
		tests: "^TestBorders$",
	},
	{
		name: "a wound line is searched in full",
		file: "sim/road/crg/tree.go", function: "(*tree).search",
		old: "n > 0 && looks < mostLooks", new: "n > 0",
		tests: "^TestASearchOfAWoundLineEnds$",
	},
	{
		name: "a pile of triangles is a ground",
		file: "sim/road/mesh/build.go", function: "(*Mesh).piled",
		old: "n > most", new: "n < 0",
		tests: "^TestPilesAreRefused$",
	},
	{
		name: "a large face is cut into slivers from its first corner",
		file: "sim/road/scan/polygon.go", function: "(*objReader).halve",
		old: "mid := (from + to) / 2", new: "mid := from + 1",
		tests: "^TestOBJManyCorners$",
	},
	{
		name: "a line's table lies elsewhere than its ground",
		file: "internal/circuit/line.go", function: "(*Site).vias",
		old: "s.Origin)", new: "r3.Vec{})",
		tests: "^TestARoadIsTheSameWhereverItsFileLies$",
	},
	{
		name: "a ground beyond its data counts",
		file: "internal/lab/survey/aerial.go", function: "(*aerial).surfaces",
		old: "&& !v.beyond[k]", new: "",
		tests: "^TestTheAreaOfOpenCRGIsThatOfItsData$",
	},
}
