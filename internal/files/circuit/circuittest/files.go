// Package circuittest holds small files of every kind of ground, for tests that build circuits or report on
// them.
package circuittest

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Folder writes files, text by name, into a temporary folder of the test and returns the folder.
func Folder(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// Quad is a level rectangle of a mesh [m].
type Quad struct {
	material               string
	x0, x1, y0, y1, height float64
}

// Strip returns a level rectangle between two corners, at a height [m].
func Strip(material string, x0, x1, y0, y1, height float64) Quad {
	return Quad{material, x0, x1, y0, y1, height}
}

// Moved returns a copy of list, moved by x and y [m].
func Moved(list []Quad, x, y float64) []Quad {
	out := slices.Clone(list)
	for i := range out {
		out[i].x0, out[i].x1, out[i].y0, out[i].y1 = out[i].x0+x, out[i].x1+x, out[i].y0+y, out[i].y1+y
	}
	return out
}

// Plate returns 200 m of road with grass on both sides. The material of its last 80 m is named Shade.
func Plate() []Quad {
	return []Quad{
		{"Asphalt", 0, 120, -5, 5, 2}, {"Shade", 120, 200, -5, 5, 2},
		{"grass", 0, 120, 5, 25, 2}, {"grass", 0, 120, -25, -5, 2}, {"grass", 120, 200, 5, 25, 2}, {"grass", 120, 200, -25, -5, 2},
	}
}

// OBJ returns quads as an OBJ file with y up, the usual axis.
func OBJ(list []Quad) string {
	var b strings.Builder
	b.WriteString("mtllib missing.mtl\n") // is not opened
	for i, q := range list {
		for _, p := range [4][2]float64{{q.x0, q.y0}, {q.x1, q.y0}, {q.x1, q.y1}, {q.x0, q.y1}} {
			fmt.Fprintf(&b, "v %g %g %g\n", p[0], q.height, -p[1])
		}
		fmt.Fprintf(&b, "usemtl %s\nf %d %d %d %d\n", q.material, 4*i+1, 4*i+2, 4*i+3, 4*i+4)
	}
	return b.String()
}

// GLTF returns quads as a self-contained glTF file with a mesh for each.
func GLTF(t testing.TB, list []Quad) string {
	t.Helper()
	type object = map[string]any
	var buffer []byte
	var nodes, meshes, accessors, views, materials []object
	for i, q := range list {
		for _, p := range [6][2]float64{{q.x0, q.y0}, {q.x1, q.y0}, {q.x1, q.y1}, {q.x0, q.y0}, {q.x1, q.y1}, {q.x0, q.y1}} {
			for _, v := range [3]float64{p[0], q.height, -p[1]} {
				buffer = binary.LittleEndian.AppendUint32(buffer, math.Float32bits(float32(v)))
			}
		}
		nodes = append(nodes, object{"mesh": i, "name": fmt.Sprint("node", i)})
		meshes = append(meshes, object{"primitives": []object{{"attributes": object{"POSITION": i}, "material": i}}})
		accessors = append(accessors, object{"bufferView": i, "componentType": 5126, "count": 6, "type": "VEC3",
			"min": []float64{q.x0, q.height, -q.y1}, "max": []float64{min(q.x1, math.MaxFloat32), q.height, -q.y0}})
		views = append(views, object{"buffer": 0, "byteOffset": 72 * i, "byteLength": 72})
		materials = append(materials, object{"name": q.material})
	}
	materials[0]["pbrMetallicRoughness"] = object{"baseColorTexture": object{"index": 0}}
	scene := make([]int, len(nodes))
	for i := range scene {
		scene[i] = i
	}
	text, err := json.Marshal(object{
		"asset": object{"version": "2.0"}, "scene": 0, "scenes": []object{{"nodes": scene}}, "nodes": nodes, "meshes": meshes,
		"accessors": accessors, "bufferViews": views, "materials": materials,
		"textures": []object{{"source": 0}}, "images": []object{{"uri": "missing.png"}},
		"buffers": []object{{"byteLength": len(buffer), "uri": "data:application/octet-stream;base64," + base64.StdEncoding.EncodeToString(buffer)}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// ASC returns an ESRI ASCII grid with cells of 2 m and a slope of 10 % along x.
func ASC() string {
	var b strings.Builder
	b.WriteString("ncols 101\nnrows 21\nxllcenter 0\nyllcenter -20\ncellsize 2\nNODATA_value -9999\n")
	for range 21 {
		for i := range 101 {
			fmt.Fprintf(&b, "%g ", 0.2*float64(i))
		}
		b.WriteString("\n")
	}
	return b.String()
}

// XODR is a straight road of 300 m with a lane of 3.5 m on both sides, 5 m high.
const XODR = `<?xml version="1.0"?>
<OpenDRIVE><header revMajor="1" revMinor="7" name="t"/>
<road name="r" length="300" id="7" junction="-1">
<planView><geometry s="0" x="0" y="0" hdg="0" length="300"><line/></geometry></planView>
<elevationProfile><elevation s="0" a="5" b="0" c="0" d="0"/></elevationProfile>
<lanes><laneSection s="0">
<left><lane id="1" type="driving" level="false"><width sOffset="0" a="3.5" b="0" c="0" d="0"/></lane></left>
<center><lane id="0" type="none" level="false"/></center>
<right><lane id="-1" type="driving" level="false"><width sOffset="0" a="3.5" b="0" c="0" d="0"/></lane></right>
</laneSection></lanes></road></OpenDRIVE>
`

// CRG returns an OpenCRG file of a straight strip without slope, 100 m long and 4 m wide, with a sine wave along it
// of 10 mm amplitude and 10 m length.
func CRG() string {
	var b strings.Builder
	b.WriteString("$CT\nA road.\n$ROAD_CRG\nREFERENCE_LINE_START_U = 0\nREFERENCE_LINE_END_U = 100\nREFERENCE_LINE_INCREMENT = 0.5\n" +
		"LONG_SECTION_V_RIGHT = -2\nLONG_SECTION_V_LEFT = 2\nLONG_SECTION_V_INCREMENT = 1\n$\n" +
		"$KD_Definition\n#:LRFI\nD:long section 1,m\nD:long section 2,m\nD:long section 3,m\nD:long section 4,m\nD:long section 5,m\n$\n$$$$****\n")
	for i := range 201 {
		for range 5 {
			fmt.Fprintf(&b, "%10.6f", 0.01*math.Sin(math.Pi*float64(i)/10))
		}
		b.WriteString("\n")
	}
	return b.String()
}

// RingTable returns the table of a line with n points on a circle of this radius [m].
func RingTable(radius float64, n int) string {
	var b strings.Builder
	b.WriteString("x,y,left,right\n")
	for i := range n {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		fmt.Fprintf(&b, "%.9g,%.9g,4,5\n", radius*cos, radius*sin)
	}
	return b.String()
}

// BentCRG returns the text of an OpenCRG file with a column of line directions added before the heights, so that
// the road bends.
func BentCRG(text string) string {
	head, rows, _ := strings.Cut(text, "$$$$****\n")
	var b strings.Builder
	b.WriteString(head + "$$$$****\n")
	i := 0
	for row := range strings.Lines(rows) {
		fmt.Fprintf(&b, "%10.6f%s", 0.004*float64(i), row)
		i++
	}
	return b.String()
}
