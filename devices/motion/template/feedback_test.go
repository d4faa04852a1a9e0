package template

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"rig.example/rig/devices/motion/wire"
)

// feedbackTemplates are templates with feedback of each form.
func feedbackTemplates() map[string]Config {
	with := func(output string, change func(*Config), feedback ...string) Config {
		c := templateWith(output)
		c.Feedback, c.FaultText = feedback, "broken"
		change(&c)
		return c
	}
	return map[string]Config{
		"text":  with("<Axis1a>,<Axis2a>;", func(c *Config) { c.Format, c.Bits = formatDecimal, 10 }, "P<Axis1a>,<Axis2a><13><10>"),
		"hex":   with("<Axis1a>,<Axis2a>;", func(c *Config) { c.Format, c.Bits, c.Digits = formatHex, 16, 4 }, "1:<Axis1a>", "2:<Axis2a>"),
		"bytes": with("<Axis1a><Axis2a>", func(c *Config) {}, "<170><85><Begin><Axis1a><Axis2a><Any><Crc8>"),
		"bits":  with("<Axis1a><Axis2a>", func(c *Config) { c.Bits = 10 }, "[A<Axis1a:2-9><Any>]", "[B<Axis2a:2-9><Any>]"),
	}
}

// hear feeds bytes to a codec and returns its answers.
func hear(c *Codec, in []byte) (all []wire.Answer) {
	for _, b := range in {
		if a, ok := c.Feed(b); ok {
			all = append(all, a)
		}
	}
	return all
}

func TestTemplateMeasuresPositions(t *testing.T) {
	nan := math.NaN()
	tests := []struct {
		name, form, in string
		want           [][2]float64 // of both actuators, NaN for one that is not reported
	}{
		{"text", "text", "P0,1023\r\nP512,0\r\n", [][2]float64{{0, 1}, {512.0 / 1023, 0}}},
		{"hex", "hex", "1:80002:FFFF", [][2]float64{{32768.0 / 65535, nan}, {nan, 1}}},
		{"bytes", "bytes", "\xaa\x55\x00\x00\xff\xff\x01\xfb", [][2]float64{{0, 1}}},
		{"bytes, one of them wrong", "bytes", "\xaa\x55\x00\x00\xff\xfe\x01\xfb", nil},
		{"high bits", "bits", "[A\x80\x07][B\xff\xff]", [][2]float64{{512.0 / 1023, nan}, {nan, 1020.0 / 1023}}},
		{"not yet whole", "text", "P512,0\r", nil},
		{"a beginning in a beginning", "text", "P5P51,P512,0\r\n", [][2]float64{{512.0 / 1023, 0}}},
		{"above the bits", "text", "P1024,0\r\nP1023,0\r\n", [][2]float64{{1, 0}}},
		{"a head three times", "bytes", "\xaa\xaa\xaa\x55\x00\x00\xff\xff\x01\xfb", [][2]float64{{0, 1}}},
		{"a head twice", "bytes", "\xaa\xaa\x55\x00\x00\xff\xff\x01\xfb", [][2]float64{{0, 1}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			code := templateOf(t, feedbackTemplates()[tt.form])
			if !code.ReportsPosition() {
				t.Error("claims to report no positions")
			}
			var got []wire.Answer
			for _, a := range hear(code, []byte(tt.in)) {
				if a.Kind == wire.AnswerPositions {
					got = append(got, a)
				}
			}
			if len(got) != len(tt.want) {
				t.Fatalf("%+v, want %v", got, tt.want)
			}
			for i, want := range tt.want {
				for leg := range wire.Axes {
					w := nan
					if leg < 2 {
						w = want[leg]
					}
					if at := got[i].Positions[leg]; !(math.Abs(at-w) < 1e-12 || math.IsNaN(at) && math.IsNaN(w)) {
						t.Errorf("answer %d: actuator %d is at %g, want %g", i, leg+1, at, w)
					}
				}
				if a := got[i]; a.Axis != -1 || !math.IsNaN(a.Temperature) || a.Text != "" || a.Fault != 0 {
					t.Errorf("%+v", a)
				}
			}
		})
	}
}

// An actuator that stands beyond the ends that it is sent to is at that end.
func TestMeasuredPositionsKeepToTheStroke(t *testing.T) {
	c := feedbackTemplates()["text"]
	c.Low, c.High = []int{100, 900}, []int{900, 100}
	got := hear(templateOf(t, c), []byte("P50,60\r\nP500,300\r\n"))
	if len(got) != 2 || got[0].Positions[0] != 0 || got[0].Positions[1] != 1 || got[1].Positions[0] != 0.5 || got[1].Positions[1] != 0.75 {
		t.Errorf("%+v, want 0 and 1, then 0.5 and 0.75", got)
	}
}

// Text that is no feedback is read as ever, also where it begins like feedback.
func TestTemplateHearsTextBesideFeedback(t *testing.T) {
	code := templateOf(t, feedbackTemplates()["text"])
	got := hear(code, []byte("hello\r\nP512,0\r\nP3 is broken\r\nP1\r\n\xffP0,0\r\n"))
	var kinds []wire.AnswerKind
	var texts []string
	for _, a := range got {
		kinds = append(kinds, a.Kind)
		texts = append(texts, a.Text)
	}
	if !slices.Equal(kinds, []wire.AnswerKind{wire.AnswerText, wire.AnswerPositions, wire.AnswerFault, wire.AnswerText, wire.AnswerPositions}) ||
		!slices.Equal(texts, []string{"hello", "", "P3 is broken", "P1", ""}) || code.Noise() != 1 {
		t.Errorf("heard %v %q with %d bytes of noise", kinds, texts, code.Noise())
	}
}

func TestTemplateAsksInTurn(t *testing.T) {
	c := feedbackTemplates()["bits"]
	c.Query = []string{"[rdA]", "<170>B<Sum8>"}
	code := templateOf(t, c)
	var said []byte
	for range 3 {
		said = code.AppendQuery(said)
	}
	if string(said) != "[rdA]\xaaB\xec[rdA]" || code.QueryBytes() != 5 {
		t.Errorf("asks %q, %d bytes at most", said, code.QueryBytes())
	}
}

func TestFeedbackAllocatesNothing(t *testing.T) {
	for name, c := range feedbackTemplates() {
		c.Query = []string{"?<Sum8>"}
		code := templateOf(t, c)
		l, query := wire.Legs{0.3, 0.6}, make([]byte, 0, code.QueryBytes())
		var in []byte
		for _, pieces := range code.feedback {
			in = code.compiledTemplate.measured.append(in, pieces, &l)
		}
		answers := 0
		if n := testing.AllocsPerRun(100, func() {
			query = code.AppendQuery(query[:0])
			for _, b := range in {
				if a, ok := code.Feed(b); ok && a.Kind == wire.AnswerPositions {
					answers++
				}
			}
		}); n != 0 || answers != 101*len(code.feedback) {
			t.Errorf("%s: %g allocations, %d answers", name, n, answers)
		}
	}
}

// Whatever came before, whole feedback is understood again; positions are in the stroke, and what
// is held back is never longer than a string.
func FuzzFeedback(f *testing.F) {
	f.Add([]byte("P5,"), uint8(0), 0.25, 0.75)
	f.Add([]byte("1:80"), uint8(1), 0.0, 1.0)
	f.Add([]byte("\xaa\x55\xaa\x55\xaa"), uint8(2), 0.665, 0.66)
	f.Add([]byte("[A[[B"), uint8(3), 0.35, 0.36)
	f.Add([]byte("\n\x00broken\r\nP"), uint8(0), -1.0, math.Inf(1))
	names := []string{"text", "hex", "bytes", "bits"}
	f.Fuzz(func(t *testing.T, before []byte, form uint8, a, b float64) {
		code := templateOf(t, feedbackTemplates()[names[form%4]])
		var last wire.Legs
		feed := func(in []byte) {
			for _, b := range in {
				answer, ok := code.Feed(b)
				if len(code.buf) > maxFeedbackLen || cap(code.buf) > maxFeedbackLen {
					t.Fatalf("%d bytes are held back", len(code.buf))
				}
				if !ok || answer.Kind != wire.AnswerPositions {
					continue
				}
				for leg, at := range answer.Positions {
					if at < 0 || at > 1 || leg < 2 && len(code.feedback) == 1 && math.IsNaN(at) {
						t.Fatalf("actuator %d is at %g", leg+1, at)
					}
					if !math.IsNaN(at) {
						last[leg] = at
					}
				}
			}
		}
		feed(before)
		want := wire.Legs{a, b}
		var message []byte
		for _, pieces := range code.feedback {
			message = code.compiledTemplate.measured.append(message, pieces, &want)
		}
		if names[form%4] == "bits" && bytes.Count(message, []byte("[")) != 2 {
			return // a number that looks like the beginning: nothing tells them apart
		}
		feed(bytes.Repeat(message, 5))
		for leg := range 2 {
			n := code.counts(leg, want[leg])
			if names[form%4] == "bits" {
				n &^= 3
			}
			if got := code.counts(leg, last[leg]); got != n {
				t.Fatalf("after %q actuator %d is at %d, want %d", before, leg+1, got, n)
			}
		}
	})
}
