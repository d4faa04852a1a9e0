package circuit

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"rig.example/rig/sim/road"
	"rig.example/rig/sim/road/mesh"
)

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// dress says what the materials of a mesh are made of, and which areas they belong to.
//
// A material has the surface that the table gives it, else the one that is called
// like it, else that of the ground, with a warning. What no triangle is made of needs
// none.
func (s *Site) dress() error {
	s.area = make([]uint8, len(s.Materials))
	for i, c := range s.Materials {
		u, err := s.made(c)
		if err != nil {
			return err
		}
		s.Surfaces = append(s.Surfaces, u)
		name, ok := s.file.Areas[c.Name]
		if !ok || c.Triangles == 0 {
			continue
		}
		if !slices.Contains(s.areas, name) {
			s.areas = append(s.areas, name)
		}
		if s.area[i] = uint8(slices.Index(s.areas, name) + 1); s.area[i] >= road.Areas {
			return s.file.Fault(fmt.Errorf("areas.%s = %q: there are %d others already, which is the most", c.Name, name, road.Areas-1))
		}
	}
	s.idle("materials", s.file.Materials)
	s.idle("areas", s.file.Areas)
	s.Bare.(*mesh.Mesh).Pave(s.Surfaces)
	return nil
}

// made returns the surface of a material.
func (s *Site) made(c Material) (road.Surface, error) {
	fallback, err := s.surface(s.file.Ground.Surface)
	if err != nil {
		return fallback, s.file.Fault(fmt.Errorf("ground.surface = %q: %w", s.file.Ground.Surface, err))
	}
	for _, name := range s.names(c.Name) {
		if given, ok := s.file.Materials[name]; ok && given != noGround {
			u, err := s.surface(given)
			switch {
			case err == nil:
				return u, nil
			case c.Triangles == 0:
				s.warn("materials.%s = %q: nothing is made of it, and it is wrong: %v", name, given, err)
				return fallback, nil
			}
			return u, s.file.Fault(fmt.Errorf("materials.%s = %q: %w", name, given, err))
		}
		if slices.Contains(s.file.SurfaceNames(), name) {
			u, err := s.surface(name)
			switch {
			case err == nil:
				return u, nil
			case c.Triangles == 0:
				s.warn("surface.%s: nothing is made of it, and it is wrong: %v", name, err)
				return fallback, nil
			}
			return u, s.file.Fault(err)
		}
	}
	if c.Triangles > 0 && !(s.Kind == openDrive && !strings.Contains(c.Name, "/")) {
		s.warn("%s: material %q is no surface that rig knows: it is %s; give it one in [materials]", s.file.Ground.File, c.Name, fallback.Name)
	}
	return fallback, nil
}

// names lists what a material may be called. The lanes of OpenDRIVE are called by their
// type and material, as driving/asphalt, in words of its own for what rig has, too.
func (s *Site) names(material string) []string {
	lane, of, both := strings.Cut(material, "/")
	if s.Kind != openDrive || !both {
		return []string{material}
	}
	list := []string{material, of, lane}
	for spoken, ours := range map[string]string{"asphalt": "tarmac", "cobble": "cobbles", "curb": "kerb"} {
		if of == spoken || lane == spoken {
			list = append(list, ours)
		}
	}
	slices.Sort(list[3:])
	return list
}

// idle warns of a table's entries for materials that the file does not have.
func (s *Site) idle(table string, entries map[string]string) {
	for _, name := range sortedKeys(entries) {
		there := entries[name] == noGround || slices.ContainsFunc(s.Materials, func(c Material) bool {
			return slices.Contains(s.names(c.Name), name)
		})
		if !there {
			s.warn("%s.%s: %s has no such material; there are %q", table, name, s.file.Ground.File, s.materials())
		}
	}
}

func (s *Site) materials() []string {
	var list []string
	for _, c := range s.Materials {
		list = append(list, c.Name)
	}
	return list
}
