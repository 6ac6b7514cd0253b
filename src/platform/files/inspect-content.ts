import type { Readable } from 'node:stream'
import { invalid } from '#platform/errors'
import { damagedFile, fileTooLarge, unsupportedFile } from './file-errors.ts'
import { type DetectedType, detectType, headBytes, isTextInAnyEncoding } from './formats/detect-type.ts'
import {
  type FileType,
  type FileTypeName,
  fileTypes,
  findTypeByExtension,
  groupLimits,
  mediaTypesOf,
} from './formats/file-type.ts'
import { extensionOf } from './formats/filename.rules.ts'
import { createStructureCheck } from './formats/structure.ts'
import type { FilePurpose } from './purposes.ts'

export type Inspection = {
  chunks: AsyncGenerator<Buffer>
  /** Undefined for an archive, whose directory is at its end. */
  typeName(): FileTypeName | undefined
}

type InspectedPart = { field: string; filename: string; content: Readable }

export function inspectContent({ field, filename, content }: InspectedPart, purpose: FilePurpose): Inspection {
  let typeName: FileTypeName | undefined
  return {
    typeName: () => typeName,
    chunks: (async function* () {
      const { head, rest } = await readHead(content)
      if (!head.length) throw invalid('body', `/${field}`, 'empty', `\`${field}\` must not be empty.`)
      const detected = await detectType(head)
      typeName = purpose.textEncodings ? chooseText(detected, head, purpose) : chooseType(detected, filename, purpose)
      const limit = typeName
        ? limitOf(purpose, fileTypes[typeName])
        : Math.max(...purpose.accepts.map((group) => groupLimits[group]))
      const maxBytes = Math.min(limit, purpose.maxBytes ?? limit)
      const structure = typeName && createStructureCheck(typeName, head, purpose)
      let size = 0
      for await (const chunk of rest) {
        size += chunk.length
        if (size > maxBytes) throw fileTooLarge(maxBytes)
        structure?.update(chunk)
        yield chunk
      }
      if (typeName && !structure!.isComplete()) throw damagedFile(fileTypes[typeName].mediaType)
    })(),
  }
}

/** An archive is received up to the largest limit, because its type is known only at its end. */
export function assertSize(size: number, typeName: FileTypeName, purpose: FilePurpose): void {
  const maxBytes = limitOf(purpose, fileTypes[typeName])
  if (size > maxBytes) throw fileTooLarge(maxBytes)
}

const limitOf = ({ maxBytes }: FilePurpose, { group }: FileType) =>
  Math.min(groupLimits[group], maxBytes ?? Number.POSITIVE_INFINITY)

async function readHead(content: Readable): Promise<{ head: Buffer; rest: AsyncIterable<Buffer> }> {
  const chunks = content[Symbol.asyncIterator]() as AsyncIterableIterator<Buffer>
  const read: Buffer[] = []
  let size = 0
  let isDone = false
  while (size < headBytes && !isDone) {
    const { value, done } = await chunks.next()
    isDone = done === true
    if (!isDone) size += read.push(value) && value.length
  }
  async function* rest() {
    yield* read
    if (!isDone) yield* chunks
  }
  return { head: Buffer.concat(read), rest: rest() }
}

function chooseType(detected: DetectedType, filename: string, purpose: FilePurpose): FileTypeName | undefined {
  const accepted = mediaTypesOf(purpose.accepts)
  const extension = extensionOf(filename)
  if (detected.type === null)
    throw unsupportedFile(`The file must not have the type ${detected.mediaType}.`, {
      detected: detected.mediaType,
      accepted,
    })
  if (detected.type === 'zip') return undefined
  const name = detected.type === 'text' ? textTypeOf(extension) : detected.type
  if (!name)
    throw unsupportedFile(`The file contains text, which does not match the extension ${extension}.`, {
      detected: 'text/plain',
      accepted,
    })
  assertAccepted(name, filename, purpose)
  return name
}

/** The extension does not matter, because spreadsheets write text under many of them. */
function chooseText(detected: DetectedType, head: Buffer, { accepts }: FilePurpose): FileTypeName {
  if (isTextInAnyEncoding(detected, head)) return 'csv'
  const mediaType = mediaTypeOf(detected)
  throw unsupportedFile(`The file must be a text, but it has the type ${mediaType}.`, {
    detected: mediaType,
    accepted: mediaTypesOf(accepts).filter((name) => name.startsWith('text/')),
  })
}

function mediaTypeOf(detected: DetectedType): string {
  if (detected.type === null) return detected.mediaType
  if (detected.type === 'zip') return 'application/zip'
  return detected.type === 'text' ? 'text/plain' : fileTypes[detected.type].mediaType
}

const textTypeOf = (extension: string): FileTypeName | undefined =>
  extension === ''
    ? 'txt'
    : (['txt', 'md', 'csv'] as const).find((name) => fileTypes[name].extensions.some((known) => known === extension))

export function assertAccepted(name: FileTypeName, filename: string, { accepts }: FilePurpose): void {
  const { group, mediaType } = fileTypes[name]
  const refusal = { detected: mediaType, accepted: mediaTypesOf(accepts) }
  if (!accepts.includes(group)) throw unsupportedFile(`The file must not have the type ${mediaType}.`, refusal)
  const extension = extensionOf(filename)
  const expected = findTypeByExtension(extension)
  if (expected && expected.group !== group)
    throw unsupportedFile(
      `The file has the type ${mediaType}, which does not match the extension ${extension}.`,
      refusal,
    )
}
