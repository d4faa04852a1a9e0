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
		{"a checksum of nothing", templateWith("<Sum7><Axis1a>"), `motion: template.output[0]: column 1: <Sum7> covers no bytes; write it after those that it covers`},
		{"a checksum at its beginning", templateWith("<Axis1a><Begin><crc16>"), `column 16: <Crc16> covers no bytes`},
		{"an unknown checksum", templateWith("<Axis1a><Crc32>"), `column 9: <Crc32> is unknown; write <Axis1a> for a number, <255> for a byte, or <Sum7>, <Sum8>, <Xor8>, <Crc8>, <Crc16> for a checksum`},
		{"any byte to send", templateWith("<Axis1a><Any>"), `column 9: <Any> can only be received; write the byte to send, such as <0>`},
		{"no bits", templateWith("<Axis1a:>"), `column 1: <Axis1a:> names no bits; write <Axis1a:0-6> for bits 0 to 6 of the number`},
		{"one bit that is no range", templateWith("<Axis1a:3>"), `names no bits`},
		{"bits of no axis", templateWith("<Axis:0-6>"), `<Axis:0-6> is not an axis`},
		{"bits the wrong way round", templateWith("<Axis1a:6-0>"), `<Axis1a:6-0> does not fit in a byte; name up to 8 bits, the lowest first`},
		{"nine bits", templateWith("<Axis1a:0-8>"), `<Axis1a:0-8> does not fit in a byte`},
		{"a bit beyond the number", templateWith("<Axis1a:9-16>"), `<Axis1a:9-16> has bit 16; numbers have bits 0 to 15, see template.bits`},
		{"a rest that covers the bits", templateWith("<Axis1a:0-4+16>"), `<Axis1a:0-4+16> has "16" for the rest of the byte; must be a sum of bits above 31, up to 224`},
		{"a rest above a byte", templateWith("<Axis1a:0-4+256>"), `has "256" for the rest of the byte`},
		{"a rest that is left out", templateWith("<Axis1a:0-4+>"), `has "" for the rest of the byte`},
		{"a bit left out", templateWith("P", "<Axis1a:0-6><Axis1a:8-15>"), `motion: template.output[1]: bit 7 of the number of <Axis1a> is missing; add it, or lower template.bits`},
		{"the highest bits left out", templateWith("<Axis1a:0-6><Axis1a:7-13>"), `bit 14 of the number of <Axis1a> is missing`},
		{"a number runs into a checksum", with(func(c *Config) { c.Format, c.Output = "decimal", []string{"<Axis1a><Sum8>;"} }), `actuator 1 cannot be separated`},
		{"a number runs over a beginning into a digit", with(func(c *Config) { c.Format, c.Output = "decimal", []string{"<Axis1a><Begin>7<Sum8>;"} }), `actuator 1 cannot be separated`},
		{"feedback with a token that is none", with(func(c *Config) { c.Feedback = []string{"P<Axis1a>", "P<Pos>"} }), `motion: template.feedback[1]: column 2: <Pos> is unknown`},
		{"feedback without an axis", with(func(c *Config) { c.Feedback = []string{"P<Any>"} }), `motion: template.feedback[0]: has no axis; write <Axis1a> where the number of the first actuator is`},
		{"feedback without a beginning", with(func(c *Config) { c.Feedback = []string{"<Axis1a>"} }), `motion: template.feedback[0]: has no fixed byte, so that its beginning cannot be found; have the controller send one`},
		{"feedback of another actuator", with(func(c *Config) { c.Feedback = []string{"P<Axis1a><Axis2a>"} }), `<Axis2a> moves no actuator; write <Any> for each byte that does not matter`},
		{"feedback that lacks an actuator", with(func(c *Config) { c.Output, c.Feedback = []string{"<Axis1a><Axis2a>"}, []string{"P<Axis2a>"} }), `motion: template.feedback: <Axis1a> of actuator 1 is missing; add it, or leave feedback out`},
		{"feedback that lacks high bits", with(func(c *Config) { c.Feedback = []string{"P<Axis1a:0-7>"} }), `bit 8 of the number of <Axis1a> is missing`},
		{"feedback that never ends", with(func(c *Config) {
			c.Format, c.Output, c.Feedback = "decimal", []string{"<Axis1a>;"}, []string{"P<Axis1a>"}
		}), `the number of <Axis1a> has no end; write what the controller sends after it, such as <13>, or set template.digits`},
		{"endless feedback", with(func(c *Config) { c.Feedback = []string{"<Axis1a>" + strings.Repeat("x", 63)} }), `motion: template.feedback[0]: is 65 bytes long; must be up to 64`},
		{"a query without an answer", with(func(c *Config) { c.Query = []string{"?"} }), `motion: template.query: has no answer; describe it in template.feedback`},
		{"a query with an axis", with(func(c *Config) { c.Feedback, c.Query = []string{"P<Axis1a>"}, []string{"?", "<Axis1a>"} }), `motion: template.query[1]: has an axis; only output, startup and shutdown can`},
		{"a query that is none", with(func(c *Config) { c.Query = []string{"<"} }), `motion: template.query[0]: column 1: "<" is not closed`},
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
