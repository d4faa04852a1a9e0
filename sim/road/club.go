package road

import (
	"math"

	"rig/sim/tire"
)

func straight(length float64) Piece { return Piece{Length: length} }

func free(length float64) Piece { return Piece{Length: length, Free: true} }

// left is a bend to the left by degrees; a negative angle bends to the right.
func left(degrees, radius, ramp float64) Piece {
	return Piece{Angle: degrees * math.Pi / 180, Radius: radius, Ramp: ramp}
}

func right(degrees, radius, ramp float64) Piece { return left(-degrees, radius, ramp) }

// Club returns the built-in circuit: a start straight, two fast bends, a
// hairpin, esses, a back straight and a medium bend home; driven to the left.
func Club() *Circuit {
	c, err := New([]Piece{
		free(450),
		left(100, 75, 40),
		straight(90),
		right(60, 60, 30),
		straight(120),
		left(180, 20, 18),
		straight(100),
		right(50, 70, 35),
		left(40, 70, 25),
		right(40, 70, 25),
		straight(320),
		left(100, 55, 30),
		free(250),
		left(90, 45, 25),
	}, 10, tire.Dry())
	if err != nil {
		panic(err) // the list above is wrong
	}
	return c
}
