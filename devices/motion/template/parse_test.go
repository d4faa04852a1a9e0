package template

import (
	"strings"
	"testing"
)

// templateWith returns the default template with output strings.
func templateWith(output ...string) Config {
	c := DefaultConfig()
	c.Output = output
	return c
}

func TestTemplateFaultsTellPlaceAndRemedy(t *testing.T) {
	with := func(change func(*Config)) Config {
		c := templateWith("P<Axis1a>")
		change(&c)
		return c
	}
	tests := []struct {
		name string
		cfg  Config
		want string
	}{
		{"no output", DefaultConfig(), `motion: template.output: is empty; give what the controller expects`},
		{"unknown token", templateWith("P<Axis1a><Speed>"), `motion: template.output[0]: column 10: <Speed> is unknown; write <Axis1a> for a number, <255> for a byte`},
		{"nothing between", templateWith("<>"), `column 1: <> is unknown`},
		{"a sign", templateWith("<-1>"), `column 1: <-1> is unknown`},
		{"above a byte", templateWith("<Axis1a>", "!<256>"), `motion: template.output[1]: column 2: <256> is not a byte; must be 0 to 255`},
		{"far above a byte", templateWith("<99999999999999999999>"), `is not a byte; must be 0 to 255`},
		{"never closed", templateWith("ab<Axis1a"), `column 3: "<" is not closed; close it with ">", or write <60>`},
		{"opened twice", templateWith("<Axis1a<13>"), `column 1: "<" is not closed`},
		{"closed alone", templateWith("<Axis1a>>"), `column 9: ">" must be written as <62>`},
		{"not ASCII", templateWith("é<Axis1a>"), `column 1: "\xc3" must be written as <195>`},
		{"axis 0", templateWith("<Axis0a>"), `column 1: <Axis0a> has number 0; a set has the axes 1 to 8`},
		{"axis 9", templateWith("<Axis9>"), `column 1: <Axis9> has number 9; a set has the axes 1 to 8`},
		{"axis with a sign", templateWith("<Axis+1>"), `<Axis+1> is not an axis; write 1a, 2a and so on`},
		{"a set that is not named", templateWith("<Axis1b>"), `column 1: <Axis1b> has no actuator; add 1b to template.axes`},
		{"no axis at all", templateWith("hello"), `motion: template.output: has no axis; write <Axis1a>`},
		{"an actuator left out", templateWith("<Axis1a><Axis3a>"), `<Axis2a> of actuator 2 is missing; add it, or remove it from template.axes`},
		{"empty string", templateWith("<Axis1a>", ""), `motion: template.output[1]: is 0 bytes long; must be 1 to 256`},
		{"endless", templateWith("<Axis1a>" + strings.Repeat("x", 300)), `is 302 bytes long; must be 1 to 256`},
		{"numbers run together", with(func(c *Config) { c.Format, c.Output = "decimal", []string{"<Axis1a><Axis2a>X"} }),
			`motion: template.output: the number of actuator 1 cannot be separated from what follows it; put a character that is not a digit between them, or set template.digits`},
		{"a number runs into a digit", with(func(c *Config) { c.Format, c.Output = "hex", []string{"<Axis1a>A"} }), `actuator 1 cannot be separated`},
		{"a number runs into the next target", with(func(c *Config) { c.Format, c.Output = "decimal", []string{"1:<Axis1a>"} }), `actuator 1 cannot be separated`},
		{"startup", with(func(c *Config) { c.Startup = []string{"ok", "<Go>"} }), `motion: template.startup[1]: column 1: <Go> is unknown`},
		{"shutdown", with(func(c *Config) { c.Shutdown = []string{"<"} }), `motion: template.shutdown[0]: column 1: "<" is not closed`},
		{"few bits", with(func(c *Config) { c.Bits = 7 }), `motion: template.bits = 7: must be 8 to 32`},
		{"many bits", with(func(c *Config) { c.Bits = 64 }), `motion: template.bits = 64: must be 8 to 32`},
		{"format", with(func(c *Config) { c.Format = "octal" }), `motion: template.format = "octal": must be binary, decimal or hex`},
		{"byte order", with(func(c *Config) { c.ByteOrder = "middle" }), `motion: template.byte_order = "middle": must be big or little`},
		{"digits", with(func(c *Config) { c.Digits = 11 }), `motion: template.digits = 11: must be 0 to 10`},
		{"a count beyond the bits", with(func(c *Config) { c.High = []int{65536} }), `motion: template.high_counts[0] = 65536: must be 0 to 65535`},
		{"a count below 0", with(func(c *Config) { c.Low = []int{0, -1} }), `motion: template.low_counts[1] = -1: must be 0 to 65535`},
		{"no way at all", with(func(c *Config) { c.Low, c.High = []int{7}, []int{9, 7} }), `both ends of actuator 2 are at 7; give two different numbers`},
		{"too many counts", with(func(c *Config) { c.High = make([]int, 9) }), `low_counts or high_counts has 9 numbers; give up to 8`},
		{"a long wait", with(func(c *Config) { c.StartupWait = []float64{1e6} }), `motion: template.startup_wait_ms[0] = 1000000: must be 0 to 120000`},
		{"a name that is none", with(func(c *Config) { c.Axes = []string{"surge"} }), `motion: template.axes[0]: "surge" is not an axis`},
		{"a name twice", with(func(c *Config) { c.Axes = []string{"1a", "1"} }), `motion: template.axes[1]: "1" is listed twice`},
		{"too many names", with(func(c *Config) { c.Axes = make([]string, 9) }), `motion: template.axes: has 9 names; give up to 8`},
		{"a name that is not sent", with(func(c *Config) { c.Axes = []string{"1a", "2a"} }), `<Axis2a> of actuator 2 is missing`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := tt.cfg.Validate()
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, want %s", err, tt.want)
			}
			if err != nil && strings.Contains(err.Error(), "\n") {
				t.Errorf("more than a line: %v", err)
			}
		})
	}
}

func TestEveryFaultIsReported(t *testing.T) {
	c := templateWith("<Axis9a>")
	c.Startup, c.Shutdown = []string{"<"}, []string{"<300>"}
	text := c.Validate().Error()
	for _, want := range []string{"template.output[0]", "template.startup[0]", "template.shutdown[0]"} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is not in %q", want, text)
		}
	}
}
