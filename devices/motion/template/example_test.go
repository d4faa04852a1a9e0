package template_test

import (
	"fmt"

	"rig.example/rig/devices/motion/template"
	"rig.example/rig/devices/motion/wire"
)

// Three actuators: at the lower end, at the center and at the upper end, once as text and
// once as bytes.
func ExampleCodec_AppendTarget() {
	legs, rest := wire.Legs{0, 0.5, 1}, wire.AllAt(0.5)
	for _, form := range []struct{ format, output string }{
		{"decimal", "<Axis1a>,<Axis2a>,<Axis3a>X"},
		{"binary", "P<Axis1a><Axis2a><Axis3a><13>"},
	} {
		cfg := template.DefaultConfig()
		cfg.Bits, cfg.Format, cfg.Output = 12, form.format, []string{form.output}
		c, err := template.New(cfg, rest, rest)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%q\n", c.AppendTarget(nil, &legs))
	}
	// Output:
	// "0,2048,4095X"
	// "P\x00\x00\b\x00\x0f\xff\r"
}
