// Package model reads a user's own car from glTF 2.0 files, as text (.gltf) or binary (.glb).
// In: the bytes of a file, and a function that reads the buffers that it names.
// Out: triangles in axes of the car, with normals and colors; textures are not read.
// It never opens a file, and no file makes it panic.
package model

import (
	"fmt"
	"math"
	"strings"

	"rig.example/rig/internal/kit/valid"
	"rig.example/rig/road/gltfmesh"
)

// Limits of a model.
const (
	MaxBytes     = 256 << 20 // of a file, and of all buffers beside it [bytes]
	MaxTriangles = 2_000_000
	maxCorners   = 4 * MaxTriangles // vertices that are looked at, with those used several times
	maxDistance  = 100              // of a vertex from the origin of the car [m]
)

// Config names the files that show a car. The built-in car is shown in place of a file that is not given.
type Config struct {
	// path of the `.glb` or `.gltf` file of the body; relative paths start at the folder of the car's file; empty: built-in body
	Body string `toml:"body"`
	// path of the file of what the driver sees of the interior; empty: built-in cockpit
	Cockpit string `toml:"cockpit"`
	// size in the car for each unit of the files: 1 for metres, 0.01 for centimetres
	Scale float64 `toml:"scale" range:"0.0001..1000"`
	// moves body and cockpit ahead, after scaling. The origin of a file is in the middle of the wheelbase
	Ahead float64 `toml:"ahead_m" range:"-10..10"`
	// moves body and cockpit up, after scaling. The origin of a file is on the ground
	Up float64 `toml:"up_m" range:"-10..10"`
}

// DefaultConfig shows the built-in car.
func DefaultConfig() Config { return Config{Scale: 1} }

// Validate reports every field that is out of range.
func (c Config) Validate() error { return valid.Struct(c) }

// Vertex is one corner of a surface. Axes are x ahead, y left and z up.
type Vertex struct {
	Pos    [3]float32 // from the ground below the middle of the wheelbase [m]
	Normal [3]float32 // outward, unit length
	Color  [3]float32 // sRGB, 0..1
	Gloss  float32    // 0 is matt, 1 mirrors the sky
}

// Mesh is a surface of triangles that are counter-clockwise when seen from outside.
type Mesh struct {
	Vertices []Vertex
	Indices  []uint32
}

// Model is what a file shows.
type Model struct {
	Body  Mesh
	Cabin Mesh // what would hide the driver's view: nodes whose name begins with "cabin", and transparent materials
}

// Parse reads a model and places it in the car; open reads the buffers that it names. With bothSides, surfaces whose
// material is double-sided are seen from both sides, otherwise only from outside. Nodes whose name begins with "wheel" are
// left out. Lines, points, skins, morph targets and animations are ignored.
func Parse(data []byte, open gltfmesh.Open, c Config, bothSides bool) (*Model, error) {
	f, err := gltfmesh.Parse(data, open, func(string, ...any) {})
	if err != nil {
		return nil, err
	}
	r := &reader{bothSides: bothSides}
	if err := f.Walk(c.placement(), r.node); err != nil {
		return nil, err
	}
	if r.triangles == 0 {
		return nil, fmt.Errorf("it has no triangles; export the meshes of the car with it")
	}
	return &r.model, nil
}

// Tags of nodes.
const (
	isBody  = iota
	isCabin // the node or one above it is called so
	isWheel
)

// node reads a node.
func (r *reader) node(n *gltfmesh.Node) error {
	name := strings.ToLower(n.Name)
	switch {
	case n.Tag == isWheel || strings.HasPrefix(name, "wheel"): // the physics moves the built-in ones
		n.Tag = isWheel
		return nil
	case strings.HasPrefix(name, "cabin"):
		n.Tag = isCabin
	}
	return n.Primitives(r.primitive)
}

// placement returns the transformation from axes of a file, x left, y up and z ahead, to those of the car.
func (c *Config) placement() gltfmesh.Transform {
	return gltfmesh.Transform{{0, 0, c.Scale, c.Ahead}, {c.Scale, 0, 0, 0}, {0, c.Scale, 0, c.Up}}
}

// encodeSRGB returns the sRGB value of a linear one, limited to 0..1.
func encodeSRGB(linear float64) float32 {
	if !(linear > 0) { // also true for NaN
		return 0
	}
	return float32(math.Pow(min(linear, 1), 1/2.2))
}
