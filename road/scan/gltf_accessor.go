package scan

import (
	"fmt"
	"math"

	"github.com/qmuntal/gltf"
	"github.com/qmuntal/gltf/modeler"

	"rig.example/rig/internal/kit/printable"
	"rig.example/rig/road"
)

// accessor returns accessor i after checking it, because the glTF package does not check counts, offsets and
// indices.
func (r *gltfReader) accessor(i int) (*gltf.Accessor, error) {
	if i < 0 || i >= len(r.doc.Accessors) || r.doc.Accessors[i] == nil {
		return nil, fmt.Errorf("accessor %d is not there: the file has %d; export it again", i, len(r.doc.Accessors))
	}
	a := r.doc.Accessors[i]
	if err := r.checkAccessor(a); err != nil {
		return nil, fmt.Errorf("accessor %d: %w", i, err)
	}
	return a, nil
}

// checkAccessor checks counts and buffers of an accessor.
func (r *gltfReader) checkAccessor(a *gltf.Accessor) error {
	if a.Count < 1 || a.Count > r.bounds.vertices {
		return fmt.Errorf("count of %d: must be from 1 to %d", a.Count, r.bounds.vertices)
	}
	if a.BufferView != nil {
		if err := r.checkView(*a.BufferView, a.ByteOffset, a.Count, a.ComponentType, a.Type); err != nil {
			return err
		}
	}
	if a.Sparse != nil {
		if err := r.checkSparse(a); err != nil {
			return fmt.Errorf("sparse: %w", err)
		}
	}
	const zeros = 1 << 20 // maximum count of an accessor without data, whose values are 0
	if a.BufferView == nil && a.Count > zeros {
		return fmt.Errorf("count of %d without a buffer view: must be at most %d; export it again", a.Count, zeros)
	}
	return nil
}

// checkView loads the buffer of buffer view i. It returns an error if count elements at an offset do not fit
// into the view.
func (r *gltfReader) checkView(i, offset, count int, c gltf.ComponentType, t gltf.AccessorType) error {
	if i < 0 || i >= len(r.doc.BufferViews) || r.doc.BufferViews[i] == nil {
		return fmt.Errorf("buffer view %d is not there: the file has %d; export it again", i, len(r.doc.BufferViews))
	}
	v := r.doc.BufferViews[i]
	if err := r.buffer(v.Buffer); err != nil {
		return err
	}
	size := gltf.SizeOfElement(c, t)
	stride := size
	if v.ByteStride != 0 {
		stride = v.ByteStride
	}
	have := len(r.doc.Buffers[v.Buffer].Data)
	switch {
	case v.ByteOffset < 0 || v.ByteLength < 0 || v.ByteOffset > have || v.ByteLength > have-v.ByteOffset:
		return fmt.Errorf("buffer view %d is beyond the %d bytes of buffer %d; is the file cut off?", i, have, v.Buffer)
	case stride < size || stride > 1<<12 || t == gltf.AccessorScalar && stride != size:
		return fmt.Errorf("buffer view %d has a stride of %d for elements of %d bytes; export it again", i, stride, size)
	case offset < 0 || offset > v.ByteLength || (v.ByteLength-offset-size)/stride < count-1 ||
		v.ByteLength-offset < size:
		return fmt.Errorf("%d elements do not fit into the %d bytes of buffer view %d; is the file cut off?", count, v.ByteLength, i)
	}
	return nil
}

// checkSparse checks the replaced elements of a sparse accessor.
func (r *gltfReader) checkSparse(a *gltf.Accessor) error {
	s := a.Sparse
	if s.Count < 1 || s.Count > a.Count {
		return fmt.Errorf("count of %d: must be from 1 to %d", s.Count, a.Count)
	}
	c := s.Indices.ComponentType
	if err := r.checkView(s.Indices.BufferView, s.Indices.ByteOffset, s.Count, c, gltf.AccessorScalar); err != nil {
		return err
	}
	if err := r.checkView(s.Values.BufferView, s.Values.ByteOffset, s.Count, a.ComponentType, a.Type); err != nil {
		return err
	}
	at, err := modeler.ReadIndices(&r.doc, &gltf.Accessor{
		ComponentType: c, Count: s.Count, BufferView: &s.Indices.BufferView, ByteOffset: s.Indices.ByteOffset,
	}, nil)
	if err != nil {
		return fmt.Errorf("indices: %w", err)
	}
	for k, v := range at {
		if int64(v) >= int64(a.Count) {
			return fmt.Errorf("index %d of %d is beyond the count of %d; export it again", k, v, a.Count)
		}
	}
	return nil
}

// positions appends the positions of an accessor, transformed by m, to the scene.
func (r *gltfReader) positions(i int, m *transform) error {
	a, err := r.accessor(i)
	if err != nil {
		return err
	}
	if a.Type != gltf.AccessorVec3 || a.ComponentType == gltf.ComponentUint {
		return fmt.Errorf("accessor %d holds no positions: must be VEC3 of floats; export it again", i)
	}
	if limit := r.maxVertices(); a.Count > limit-r.vertices() {
		return fmt.Errorf("more than %d vertices in total from %d bytes; simplify the mesh or split it", limit, r.builder.bytes)
	}
	data, err := modeler.ReadAccessor(&r.doc, a, nil)
	if err != nil {
		return fmt.Errorf("accessor %d: %w", i, err)
	}
	switch data := data.(type) {
	case [][3]float32:
		r.warnCoarse(i, data)
		appendPositions(r, data, m, 1)
	case [][3]int8:
		appendPositions(r, data, m, integerScale(a, 127))
	case [][3]uint8:
		appendPositions(r, data, m, integerScale(a, 255))
	case [][3]int16:
		appendPositions(r, data, m, integerScale(a, 32767))
	case [][3]uint16:
		appendPositions(r, data, m, integerScale(a, 65535))
	}
	return nil
}

// warnCoarse adds a warning if positions are so large that float32 resolves them no better than 1 mm.
func (r *gltfReader) warnCoarse(accessor int, data [][3]float32) {
	const limit = 1 << 14 // [m]
	distance := float32(0)
	for _, v := range data {
		distance = max(distance, max(v[0], -v[0]), max(v[1], -v[1]), max(v[2], -v[2]))
	}
	if distance >= limit && distance <= road.MaxCoordinate {
		spacing := math.Nextafter32(distance, math.MaxFloat32) - distance
		r.warn("accessor %d: its positions reach %.3g m, where 32-bit floats lie %.2g m apart; export the mesh about zero, and its place as a translation of its node", accessor, distance, spacing)
	}
}

// integerScale returns the factor from the integers of an accessor to its values. full is the largest integer of
// its type.
func integerScale(a *gltf.Accessor, full float64) float64 {
	if a.Normalized {
		return 1 / full
	}
	return 1
}

// appendPositions appends scaled and transformed positions to the scene.
func appendPositions[T float32 | int8 | uint8 | int16 | uint16](r *gltfReader, data [][3]T, m *transform, scale float64) {
	for _, v := range data {
		p := toZUp(m.apply([3]float64{float64(v[0]) * scale, float64(v[1]) * scale, float64(v[2]) * scale}))
		r.scene.Positions = append(r.scene.Positions, p[:]...)
	}
}

// indices returns the vertex indices of a primitive.
func (r *gltfReader) indices(i int) ([]uint32, error) {
	a, err := r.accessor(i)
	if err != nil {
		return nil, err
	}
	list, err := modeler.ReadIndices(&r.doc, a, nil)
	if err != nil {
		return nil, fmt.Errorf("accessor %d: %s; export it again", i, printable.Excerpt(err.Error()))
	}
	return list, nil
}
