package circuit

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"rig.example/rig/road"
	"rig.example/rig/road/mesh"
)

// sortedKeys returns the keys of m in order.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// assignSurfaces gives each material of a mesh a surface and an area.
//
// A material gets the surface of the table of materials, or else the surface of the same name, or else that
// of the ground, with a warning. A material without triangles needs no surface.
func (s *Site) assignSurfaces() error {
	s.materialArea = make([]uint8, len(s.Materials))
	for i, c := range s.Materials {
		u, err := s.materialSurface(c)
		if err != nil {
			return err
		}
		s.Surfaces = append(s.Surfaces, u)
		name, ok := s.file.Areas[c.Name]
		if !ok || c.Triangles == 0 {
			continue
		}
		if !slices.Contains(s.areaNames, name) {
			s.areaNames = append(s.areaNames, name)
		}
		if s.materialArea[i] = uint8(slices.Index(s.areaNames, name) + 1); s.materialArea[i] >= road.AreaCount {
			return s.file.Locate(fmt.Errorf("areas.%s = %q: there are %d other areas already: must be at most that many",
				c.Name, name, road.AreaCount-1))
		}
	}
	s.warnUnused("materials", s.file.Materials)
	s.warnUnused("areas", s.file.Areas)
	s.Bare.(*mesh.Mesh).SetSurfaces(s.Surfaces)
	return nil
}

// materialSurface returns the surface of a material, as assignSurfaces describes.
func (s *Site) materialSurface(c Material) (road.Surface, error) {
	fallback, err := s.surface(s.file.Ground.Surface)
	if err != nil {
		return fallback, s.file.Locate(fmt.Errorf("ground.surface = %q: %w", s.file.Ground.Surface, err))
	}
	for _, name := range s.surfaceNames(c.Name) {
		if given, ok := s.file.Materials[name]; ok && given != notGround {
			u, err := s.surface(given)
			switch {
			case err == nil:
				return u, nil
			case c.Triangles == 0:
				s.warnf("materials.%s = %q: no triangle has it, and it is invalid: %v", name, given, err)
				return fallback, nil
			}
			return u, s.file.Locate(fmt.Errorf("materials.%s = %q: %w", name, given, err))
		}
		if slices.Contains(s.file.SurfaceNames(), name) {
			u, err := s.surface(name)
			switch {
			case err == nil:
				return u, nil
			case c.Triangles == 0:
				s.warnf("surface.%s: no triangle has it, and it is invalid: %v", name, err)
				return fallback, nil
			}
			return u, s.file.Locate(err)
		}
	}
	if c.Triangles > 0 && !(s.Kind == openDrive && !strings.Contains(c.Name, "/")) {
		s.warnf("%s: material %q is not a known surface, so it gets %s; assign one in [materials]",
			s.file.Ground.File, c.Name, fallback.Name)
	}
	return fallback, nil
}

// surfaceNames returns the names of the surfaces that a material may mean, in order of preference. A material of
// an OpenDRIVE file is named by lane type and material, such as driving/asphalt, in the terms of OpenDRIVE.
func (s *Site) surfaceNames(material string) []string {
	lane, of, both := strings.Cut(material, "/")
	if s.Kind != openDrive || !both {
		return []string{material}
	}
	list := []string{material, of, lane}
	for theirs, ours := range map[string]string{"asphalt": "tarmac", "cobble": "cobbles", "curb": "kerb"} {
		if of == theirs || lane == theirs {
			list = append(list, ours)
		}
	}
	slices.Sort(list[3:])
	return list
}

// warnUnused adds a warning for each entry of a table whose material the file does not have.
func (s *Site) warnUnused(table string, entries map[string]string) {
	for _, name := range sortedKeys(entries) {
		there := entries[name] == notGround || slices.ContainsFunc(s.Materials, func(c Material) bool {
			return slices.Contains(s.surfaceNames(c.Name), name)
		})
		if !there {
			s.warnf("%s.%s: material not found in %s; the materials are %q",
				table, name, s.file.Ground.File, s.materialNames())
		}
	}
}

// materialNames returns the names of all materials of the mesh.
func (s *Site) materialNames() []string {
	var list []string
	for _, c := range s.Materials {
		list = append(list, c.Name)
	}
	return list
}
