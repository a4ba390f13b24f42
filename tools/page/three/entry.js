// The parts of three.js that report pages use, under one name.
import {
  BufferAttribute, BufferGeometry, Color, CylinderGeometry, DoubleSide, Group, InstancedBufferAttribute, InstancedBufferGeometry, InstancedMesh,
  LineSegments, Matrix4, Mesh, PerspectiveCamera, Scene, ShaderMaterial, SphereGeometry, Vector2, Vector3, WebGLRenderer,
} from 'three';

globalThis.THREE = {
  BufferAttribute, BufferGeometry, Color, CylinderGeometry, DoubleSide, Group, InstancedBufferAttribute, InstancedBufferGeometry, InstancedMesh,
  LineSegments, Matrix4, Mesh, PerspectiveCamera, Scene, ShaderMaterial, SphereGeometry, Vector2, Vector3, WebGLRenderer,
};
