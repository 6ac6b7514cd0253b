import { type Static, Type } from 'typebox'
import { named, strict, Timestamp } from '#platform/schema'

const Path = Type.String({ examples: ['src/main.ts'] })
const Language = Type.String({ examples: ['typescript'] })
const Size = Type.Integer({ description: 'Size in bytes.' })

export const CodeTree = named(
  'CodeTree',
  strict({
    revision: Type.String({ description: 'Changes whenever a file changes.' }),
    generated_at: Timestamp,
    files: Type.Array(strict({ path: Path, language: Language, size: Size, lines: Type.Integer() })),
  }),
)

export const CodeFileQuery = strict({
  path: Type.String({ minLength: 1, maxLength: 300, description: 'Path of a file in the tree.' }),
})

export const CodeFile = named(
  'CodeFile',
  strict({
    path: Path,
    language: Language,
    size: Size,
    lines: Type.Integer(),
    sha256: Type.String(),
    content: Type.String(),
  }),
)

export const CodeSearchQuery = strict({
  q: Type.String({ minLength: 2, maxLength: 100, description: 'Literal text; upper and lower case are the same.' }),
  file_type: Type.Optional(
    Type.Enum(['ts', 'js', 'sql', 'md', 'json', 'yaml'], { description: 'Extension of the files to search.' }),
  ),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
})
export type CodeSearchQuery = Static<typeof CodeSearchQuery>

export const CodeSearchResult = named(
  'CodeSearchResult',
  strict({
    items: Type.Array(strict({ path: Path, line: Type.Integer(), preview: Type.String() })),
    total: Type.Integer({ description: 'Number of lines that contain the text, up to 200.' }),
    truncated: Type.Boolean({ description: 'True if there are more matches than returned.' }),
  }),
)
