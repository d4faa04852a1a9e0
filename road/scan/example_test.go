package scan_test

import (
	"fmt"

	"rig.example/rig/road/scan"
)

// A mesh of one face with z up, and the check for faults.
func ExampleParseOBJ() {
	const file = `g tarmac
v 0 0 0
v 10 0 0
v 10 10 0
v 0 10 0
f 1 2 3 4
`
	scene, err := scan.ParseOBJ([]byte(file), "example.obj", scan.Options{Up: "z", Scale: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	report := scan.Check(scene, scan.DefaultLimits())
	fmt.Printf("%s: %d triangles, %.0f m², %d kinds of fault\n", scene.Names[0], report.Triangles, report.Area, len(report.Findings))
	// Output: tarmac: 2 triangles, 100 m², 0 kinds of fault
}
