package main

// balanceMutants leave out one force, moment or motion of a car, or its reaction.
var balanceMutants = []mutant{
	{
		name: "links give a wheel nothing of the tire's force",
		pkg:  "sim", file: "sim/suspension/corner.go", function: "(*Corner).LinkForce",
		old: "r3.Dot(inPlane, p.DContact) + ", new: "",
		tests: "^TestEveryForceIsPaidFor$/level",
	},
	{
		name: "the links' toe turns a spinning wheel twice",
		pkg:  "sim", file: "sim/tires.go", function: "(*Car).turnAxle",
		old: "p.SteerRate - p.DSteer*travelSpeed", new: "p.SteerRate",
		tests: "^TestEveryForceIsPaidFor$/level",
	},
	{
		name: "links give a wheel nothing of the tire's moment",
		pkg:  "sim", file: "sim/suspension/corner.go", function: "(*Corner).LinkForce",
		old: " + momentWork", new: " + 0*momentWork",
		tests: "^TestEveryForceIsPaidFor$",
	},
	{
		name: "links give a wheel nothing of the brake's moment",
		pkg:  "sim", file: "sim/suspension/corner.go", function: "(*Corner).LinkForce",
		old: "brakeMoment*p.DSpin", new: "0*brakeMoment*p.DSpin",
		tests: "^TestEveryForceIsPaidFor$/level",
	},
	{
		name: "a tire does not feel its links move",
		pkg:  "sim", file: "sim/suspension/corner.go", function: "(*Corner).Touch",
		old: "r3.Scale(st.TravelSpeed, p.DContact)", new: "r3.Scale(0*st.TravelSpeed, p.DContact)",
		tests: "^TestEveryForceIsPaidFor$/level",
	},
	{
		name: "a tire does not feel its wheel steer",
		pkg:  "sim", file: "sim/suspension/corner.go", function: "(*Corner).Touch",
		old: "\t\tv = r3.Add(v, r3.Cross(turning, t.Lever))\n", new: "",
		tests: "^TestEveryForceIsPaidFor$/level",
	},
	{
		name: "a tire does not slip by the speed at which its force acts",
		pkg:  "sim", file: "sim/suspension/corner.go", function: "(*Corner).Touch",
		old: "t.Vy += k.appY * r3.Dot(lean, t.Left)", new: "t.Vy += 0 * k.appY * r3.Dot(lean, t.Left)",
		tests: "^TestEveryForceIsPaidFor$/level",
	},
	{
		name: "a force at a height has no moment",
		file: "sim/tires.go", function: "(*Car).stepTire",
		old: "r3.Cross(t.Normal, offset)", new: "r3.Scale(0, r3.Cross(t.Normal, offset))",
		tests: "^TestEveryForceIsPaidFor$/level",
	},
	{
		name: "a tire's force has no moment on the body",
		file: "sim/tires.go", function: "(*Car).stepTire",
		old: "r3.Cross(t.Arm, g.Force))", new: "r3.Scale(0.99, r3.Cross(t.Arm, g.Force)))",
		tests: "^TestEveryForceIsPaidFor$/level",
	},
	{
		name: "the body does not feel a wheel spin up",
		file: "sim/tires.go", function: "(*Car).stepTire",
		old: "r3.Scale(spinUpTorque, p.Axle)", new: "r3.Scale(0*spinUpTorque, p.Axle)",
		tests: "^TestEveryForceIsPaidFor$/level",
	},
	{
		name: "the body does not feel the overturning moment",
		file: "sim/tires.go", function: "(*Car).stepTire",
		old: "r3.Scale(f.Mx, t.Forward)", new: "r3.Scale(0*f.Mx, t.Forward)",
		tests: "^TestEveryForceIsPaidFor$/level",
	},
	{
		name: "the body does not feel the aligning moment",
		file: "sim/tires.go", function: "(*Car).stepTire",
		old: "r3.Scale(f.Mz, t.Normal)", new: "r3.Scale(0*f.Mz, t.Normal)",
		tests: "^TestEveryForceIsPaidFor$/level",
	},
	{
		name: "the body does not feel the rolling resistance",
		file: "sim/tires.go", function: "(*Car).stepTire",
		old: "r3.Scale(f.My, p.Axle)", new: "r3.Scale(0*f.My, p.Axle)",
		tests: "^TestEveryForceIsPaidFor$/level",
	},
	{
		name: "the body does not feel its wheels' axes turn",
		file: "sim/tires.go", function: "(*Car).turnAxle",
		old: "r3.Scale(-momentum, turning)", new: "r3.Scale(0*momentum, turning)",
		tests: "^TestEveryForceIsPaidFor$/level",
	},
	{
		name: "the kingpins do not feel the tires' moments",
		file: "sim/tires.go", function: "(*tireForces).kingpinMoment",
		old: "r3.Add(r3.Cross(t.Lever, g.Force), g.Moment)", new: "r3.Cross(t.Lever, g.Force)",
		tests: "^TestEveryForceIsPaidFor$/level",
	},
	{
		name: "the rack gets the left wheel's moment only",
		pkg:  "sim", file: "sim/steering/rack.go", function: "(*System).Step",
		old: "left*a.Gain[tire.FL] + right*a.Gain[tire.FR]", new: "left*a.Gain[tire.FL] + 0*right*a.Gain[tire.FR]",
		tests: "^TestEveryForceIsPaidFor$/level",
	},
	{
		name: "an anti-roll bar does not push back",
		pkg:  "sim", file: "sim/suspension/bar.go", function: "(*bar).couple",
		old: "\t\tk.right = -k.left\n\t\tk.leftRate", new: "\t\tk.leftRate",
		tests: "^TestEveryForceIsPaidFor$/level",
	},
	{
		name: "the body does not feel the driveline spin up",
		file: "sim/drive.go", function: "(*Car).addDrivelineReaction",
		old: "r3.Scale(c.perDt, r3.Sub(before, after))", new: "r3.Scale(0*c.perDt, r3.Sub(before, after))",
		tests: "^(TestEveryForceIsPaidFor|TestARevvingEngineTurnsTheBody)$/level",
	},
	{
		name: "the contact of a soft suspension stays where it is",
		file: "sim/suspension/corner.go", function: "(*Corner).Touch",
		old: "v = r3.Add(v, k.compliance.move(t, p, &st.Compliance, arm))", new: "_ = k.compliance.move(t, p, &st.Compliance, arm)",
		tests: "^TestTheContactMovesWithTheElasticAngles$|^TestEveryForceIsPaidFor$/^soft",
	},
	{
		name: "a wheel's elastic camber leans it the other way",
		file: "sim/suspension/compliance.go", function: "(*compliance).deflect",
		old: "r3.Scale(st.Camber, p.upright)", new: "r3.Scale(-st.Camber, p.upright)",
		tests: "^TestAWheelGivesWayByItsFigures$|^TestEveryForceIsPaidFor$/^soft",
	},
}
