package main

// sessionViewMutants are faults in what the window shows of a session, and in the memory that it reads.
var sessionViewMutants = []mutant{
	{
		name: "others are shown as another process wrote them",
		file: "internal/core/framepage/others.go", function: "(*Others).Get",
		old: "v.Clean()", new: "_ = v.Clean",
		tests: "^TestOthersAreCleanedAsTheyAreRead$",
	},
	{
		name: "watchers can write to the others",
		file: "internal/core/framepage/page.go", function: "(*Page).Files",
		old: "p.others.reading", new: "p.others.file",
		tests: "^TestAPageSharesOthers$",
	},
	{
		name: "a car with an unknown position is shown",
		file: "internal/core/frame/others_clean.go", function: "inBox",
		old: "!(math.Abs(x) <= limit)", new: "math.Abs(x) > limit",
		tests: "^TestOthersAreCleaned$",
	},
	{
		name: "other cars drive on while nothing is heard of them",
		file: "display/scene/other_cars.go", function: "(*OtherCars).Update",
		old: "valid.Clamp(age, 0, longest)", new: "max(age, 0)",
		tests: "^TestOtherCarsAreWhereTheyAreSeen$",
	},
	{
		name: "a ghost around the eye fills the view",
		file: "display/scene/other_cars.go", function: "(*OtherCar).Opacity",
		old: "valid.Clamp(clear, 0, 1)", new: "max(clear, 1)",
		tests: "^TestOtherCarsFadeNearTheEye$",
	},
	{
		name: "labels of cars lie on each other",
		file: "display/hud/labels.go", function: "(*Canvas).placeLabels",
		old: "c.occupy(p)", new: "_ = c.occupy",
		tests: "^TestLabelsKeepClearOfEachOther$",
	},
	{
		name: "the lights of the start count one second late",
		file: "display/hud/session.go", function: "(*Canvas).start",
		old: "startLights+1-seconds", new: "startLights-seconds",
		tests: "^TestLightsOfTheStart$",
	},
}
