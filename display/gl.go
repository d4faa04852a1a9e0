//go:build cgo

package display

import (
	"fmt"
	"strings"
	"unsafe"

	"github.com/go-gl/gl/v3.3-core/gl"
	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"rig.example/rig/display/scene"
)

// program is a linked vertex and fragment shader, with the uniform locations found so far.
type program struct {
	id       uint32
	uniforms map[string]int32
	value    mgl32.Mat4 // handed to OpenGL from here, because the pointer would move a local variable to the heap
}

// newProgram compiles and links two shaders. name is used in errors only.
func newProgram(name, vertexSource, fragmentSource string) (*program, error) {
	p := &program{id: gl.CreateProgram(), uniforms: map[string]int32{}}
	for _, stage := range []struct {
		kind   uint32
		source string
	}{{gl.VERTEX_SHADER, vertexSource}, {gl.FRAGMENT_SHADER, fragmentSource}} {
		shader, err := compile(stage.kind, stage.source)
		if err != nil {
			return nil, fmt.Errorf("display: shader %s: %w", name, err)
		}
		gl.AttachShader(p.id, shader)
		gl.DeleteShader(shader)
	}
	gl.LinkProgram(p.id)
	var ok int32
	gl.GetProgramiv(p.id, gl.LINK_STATUS, &ok)
	if ok == gl.FALSE {
		log := strings.Repeat("\x00", 1024)
		gl.GetProgramInfoLog(p.id, 1023, nil, gl.Str(log))
		return nil, fmt.Errorf("display: shader %s does not link: %s", name, firstLine(log))
	}
	return p, nil
}

// compile returns a shader of the given kind, gl.VERTEX_SHADER or gl.FRAGMENT_SHADER.
func compile(kind uint32, source string) (uint32, error) {
	shader := gl.CreateShader(kind)
	text, free := gl.Strs(source + "\x00")
	gl.ShaderSource(shader, 1, text, nil)
	free()
	gl.CompileShader(shader)
	var ok int32
	gl.GetShaderiv(shader, gl.COMPILE_STATUS, &ok)
	if ok == gl.FALSE {
		log := strings.Repeat("\x00", 1024)
		gl.GetShaderInfoLog(shader, 1023, nil, gl.Str(log))
		return 0, fmt.Errorf("does not compile: %s", firstLine(log))
	}
	return shader, nil
}

// firstLine returns the first line of an OpenGL log that ends with a NUL.
func firstLine(log string) string {
	log, _, _ = strings.Cut(strings.TrimLeft(log, "\n"), "\x00")
	log, _, _ = strings.Cut(log, "\n")
	return log
}

// use makes p the current program.
func (p *program) use() { gl.UseProgram(p.id) }

// uniform returns the location of a uniform variable, or -1 if the program has none of this name.
func (p *program) uniform(name string) int32 {
	at, ok := p.uniforms[name]
	if !ok {
		at = gl.GetUniformLocation(p.id, gl.Str(name+"\x00"))
		p.uniforms[name] = at
	}
	return at
}

// matrix sets a mat4 uniform of p, which must be the current program.
func (p *program) matrix(name string, m mgl64.Mat4) {
	for i, v := range m {
		p.value[i] = float32(v)
	}
	gl.UniformMatrix4fv(p.uniform(name), 1, false, &p.value[0])
}

// vector sets a vec3 uniform of p, which must be the current program.
func (p *program) vector(name string, v mgl64.Vec3) {
	gl.Uniform3f(p.uniform(name), float32(v[0]), float32(v[1]), float32(v[2]))
}

// Drawn counts what a picture took.
type Drawn struct{ Calls, Triangles int }

// buffer is a mesh in graphics memory: the OpenGL names of a vertex array object and of its buffers.
type buffer struct {
	vertexArray, vertexBuffer, indexBuffer uint32
	count                                  int    // indices, or vertices if there are no indices
	drawn                                  *Drawn // counts what is drawn
}

// newBuffer uploads vertices and indices. attributes holds the number of float32 of each vertex
// attribute, in order. Without vertices the buffer is empty and draws nothing. What it draws is added to drawn.
func newBuffer[T any](drawn *Drawn, vertices []T, indices []uint32, attributes ...int32) *buffer {
	b := &buffer{count: len(indices), drawn: drawn}
	gl.GenVertexArrays(1, &b.vertexArray)
	gl.BindVertexArray(b.vertexArray)
	gl.GenBuffers(1, &b.vertexBuffer)
	gl.BindBuffer(gl.ARRAY_BUFFER, b.vertexBuffer)
	upload(gl.ARRAY_BUFFER, vertices, gl.STATIC_DRAW)
	if len(indices) > 0 {
		gl.GenBuffers(1, &b.indexBuffer)
		gl.BindBuffer(gl.ELEMENT_ARRAY_BUFFER, b.indexBuffer)
		upload(gl.ELEMENT_ARRAY_BUFFER, indices, gl.STATIC_DRAW)
	}
	var stride, at int32
	for _, n := range attributes {
		stride += 4 * n
	}
	for i, n := range attributes {
		gl.VertexAttribPointerWithOffset(uint32(i), n, gl.FLOAT, false, stride, uintptr(at))
		gl.EnableVertexAttribArray(uint32(i))
		at += 4 * n
	}
	return b
}

// upload copies data into the buffer object that is bound to target, such as gl.ARRAY_BUFFER; usage is a hint,
// such as gl.STATIC_DRAW.
func upload[T any](target uint32, data []T, usage uint32) {
	if len(data) == 0 {
		return
	}
	var element T
	gl.BufferData(target, len(data)*int(unsafe.Sizeof(element)), unsafe.Pointer(&data[0]), usage)
}

// draw draws the whole buffer.
func (b *buffer) draw() { b.drawSpan(scene.Span{Count: b.count}) }

// drawSpans draws the indices of each span.
func (b *buffer) drawSpans(spans []scene.Span) {
	for _, s := range spans {
		b.drawSpan(s)
	}
}

// drawSpan draws the indices of s.
func (b *buffer) drawSpan(s scene.Span) {
	if s.Count == 0 {
		return
	}
	gl.BindVertexArray(b.vertexArray)
	gl.DrawElementsWithOffset(gl.TRIANGLES, int32(s.Count), gl.UNSIGNED_INT, uintptr(4*s.First))
	b.drawn.Calls++
	b.drawn.Triangles += s.Count / 3
}

// free deletes the buffer from graphics memory.
func (b *buffer) free() {
	gl.DeleteVertexArrays(1, &b.vertexArray)
	gl.DeleteBuffers(1, &b.vertexBuffer)
	if b.indexBuffer != 0 {
		gl.DeleteBuffers(1, &b.indexBuffer)
	}
}

// newMaterialTexture uploads rows of RGBA texels, width in each. Texels are interpolated along a row
// and repeat from the last row to the first. Without texels the texture is empty.
func newMaterialTexture(texels []uint8, width int) uint32 {
	var id uint32
	gl.GenTextures(1, &id)
	gl.BindTexture(gl.TEXTURE_2D, id)
	gl.PixelStorei(gl.UNPACK_ALIGNMENT, 1)
	if rows := len(texels) / 4 / width; rows > 0 {
		gl.TexImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, int32(width), int32(rows), 0, gl.RGBA, gl.UNSIGNED_BYTE, gl.Ptr(texels))
	}
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.LINEAR)
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST)
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE)
	return id
}

// newTexture uploads a square of gray texels, size along an edge, that repeats in both directions.
func newTexture(texels []uint8, size int32) uint32 {
	var id uint32
	gl.GenTextures(1, &id)
	gl.BindTexture(gl.TEXTURE_2D, id)
	gl.PixelStorei(gl.UNPACK_ALIGNMENT, 1)
	gl.TexImage2D(gl.TEXTURE_2D, 0, gl.R8, size, size, 0, gl.RED, gl.UNSIGNED_BYTE, gl.Ptr(texels))
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.LINEAR)
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_NEAREST)
	gl.GenerateMipmap(gl.TEXTURE_2D)
	return id
}
