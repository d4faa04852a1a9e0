package opendrive

import (
	"fmt"
	"strings"
	"testing"
)

// country is a network of many roads side by side, each with a bend.
func country(roads int) string {
	var b strings.Builder
	b.WriteString(`<OpenDRIVE><header revMajor="1" revMinor="7"/>`)
	for i := range roads {
		fmt.Fprintf(&b, `<road id="%d" length="300"><planView>%s<geometry s="100" x="100" y="%d" hdg="0" length="200"><spiral curvStart="0" curvEnd="0.01"/></geometry></planView>
			<elevationProfile><elevation s="0" a="0" b="0" c="0.0001" d="0"/></elevationProfile>
			<lateralProfile><superelevation s="0" a="0" b="0.0002"/></lateralProfile><lanes>%s</lanes></road>`,
			i, geometry(0, 0, float64(50*i), 0, 100, "<line/>"), 50*i, twoLanes)
	}
	b.WriteString("</OpenDRIVE>")
	return b.String()
}

func BenchmarkParseCountry(b *testing.B) {
	text := []byte(country(1000))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := Parse(text, "b"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkMeshCountry(b *testing.B) {
	m := parse(b, country(200))
	triangles := 0
	for b.Loop() {
		triangles = len(build(b, m, DefaultOptions()).Surface)
	}
	b.ReportMetric(float64(triangles), "triangles")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*triangles), "ns/triangle")
}

func BenchmarkAt(b *testing.B) {
	r := parts(b).Road("1")
	s := 0.0
	for b.Loop() {
		r.At(s, 1)
		if s += 0.37; s > r.Length {
			s = 0
		}
	}
}
