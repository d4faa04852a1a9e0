package main

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rig.example/rig/road/gltfmesh/gltfmeshtest"
)

// A road of each kind, 60 m by 20 m, of a material that a test names.

func objRoad(material string) string {
	return "v 0 0 10\nv 60 0 10\nv 60 0 -10\nv 0 0 -10\nusemtl " + material + "\nf 1 2 3 4\n"
}

func gltfRoad(material string) string {
	type object = map[string]any
	var buffer []byte
	for _, v := range []float32{0, 0, 10, 60, 0, 10, 60, 0, -10, 0, 0, 10, 60, 0, -10, 0, 0, -10} {
		buffer = binary.LittleEndian.AppendUint32(buffer, math.Float32bits(v))
	}
	text, err := json.Marshal(object{
		"asset": object{"version": "2.0"}, "scene": 0, "scenes": []object{{"nodes": []int{0}}}, "nodes": []object{{"mesh": 0, "name": material}},
		"meshes":      []object{{"name": material, "primitives": []object{{"attributes": object{"POSITION": 0}, "material": 0}}}},
		"accessors":   []object{{"bufferView": 0, "componentType": 5126, "count": 6, "type": "VEC3", "min": []int{0, 0, -10}, "max": []int{60, 0, 10}}},
		"bufferViews": []object{{"buffer": 0, "byteLength": len(buffer)}}, "materials": []object{{"name": material}},
		"buffers": []object{{"byteLength": len(buffer), "uri": "data:application/octet-stream;base64," + base64.StdEncoding.EncodeToString(buffer)}},
	})
	if err != nil {
		panic(err)
	}
	return string(text)
}

// glbRoad is the same in the binary container.
func glbRoad(material string) string { return glb(gltfRoad(material)) }

// glb returns a document in the binary container.
func glb(text string) string { return string(gltfmeshtest.GLB(text, nil)) }

func ascRoad() string {
	return "ncols 7\nnrows 3\nxllcorner 0\nyllcorner 0\ncellsize 10\nNODATA_value -9999\n" + strings.Repeat("1 1 1 1 1 1 1\n", 3)
}

func xodrRoad(name string) string {
	return `<?xml version="1.0"?>
<OpenDRIVE><header revMajor="1" revMinor="7" name="` + name + `"/><road name="` + name + `" length="60" id="1" junction="-1">
<planView><geometry s="0" x="0" y="0" hdg="0" length="60"><line/></geometry></planView><lanes><laneSection s="0">
<left><lane id="1" type="driving" level="false"><width sOffset="0" a="3.5" b="0" c="0" d="0"/><material sOffset="0" surface="` + name + `" friction="1" roughness="0"/></lane></left>
<center><lane id="0" type="none" level="false"/></center>
<right><lane id="-1" type="` + name + `" level="false"><width sOffset="0" a="3.5" b="0" c="0" d="0"/></lane></right>
</laneSection></lanes></road></OpenDRIVE>
`
}

func crgRoad(comment string) string {
	return "$CT\n" + comment + "\n$ROAD_CRG\nREFERENCE_LINE_START_U = 0\nREFERENCE_LINE_END_U = 60\nREFERENCE_LINE_INCREMENT = 10\n" +
		"LONG_SECTION_V_RIGHT = -2\nLONG_SECTION_V_LEFT = 2\nLONG_SECTION_V_INCREMENT = 2\n$\n" +
		"$KD_Definition\n#:LRFI\nD:long section 1,m\nD:long section 2,m\nD:long section 3,m\n$\n$$$$****\n" +
		strings.Repeat("  0.000000  0.000000  0.000000\n", 7)
}

const lineTable = "x,y,left,right\n0,0,4,4\n60,0,4,4\n60,60,4,4\n0,60,4,4\n"

const inputTable = "time_s,steer_deg,throttle,brake\n0,0,0.1,0\n0.05,1,0.1,0\n0.1,2,0.1,0\n"

// ofRepository is a file of this repository.
func ofRepository(t testing.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", path))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// put writes files into a folder and returns it.
func put(t testing.TB, dir string, files map[string]string) string {
	t.Helper()
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(fmt.Errorf("%.100q: %w", name, err))
		}
	}
	return dir
}
