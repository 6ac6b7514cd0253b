import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { Busboy } from '@fastify/busboy'
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { AppError, invalid, invalidInput } from '#platform/errors'
import { cleanInput } from '../validation/validation.ts'
import { toInputErrors } from '../validation/validation-messages.ts'
import { duplicateField, unreadBody, unsupportedMediaType } from './body-kind.ts'
import { bodyTooLarge, incompleteBody } from './body-limits.ts'
import { watchTransferRate } from './transfer-rate.ts'

export type FilePart = { field: string; filename: string; declaredType: string; content: Readable }
type MultipartBody<T> = { fields: Record<string, unknown>; file: T | undefined }

const fileFormat = 'binary'
export const FilePartSchema = Type.String({ format: fileFormat, description: 'Content of the file.' })

const maxFields = 50
const defaultFieldBytes = 65_536
const maxBytesPerCharacter = 4
const limits = {
  fieldNameSize: 100,
  fields: maxFields,
  files: 1,
  parts: maxFields + 1,
  headerPairs: 20,
  headerSize: 8_192,
}

type FieldSchema = { type?: string; format?: string; maxLength?: number }
/** The name of the file, the schemas of the fields and the size of the largest one, from the schema of the body. */
type Form = { fileField: string; fields: Record<string, FieldSchema>; fieldBytes: number }

function describeForm({ routeOptions }: FastifyRequest): Form {
  const { properties: fields } = routeOptions.schema!.body as { properties: Record<string, FieldSchema> }
  const fileField = Object.keys(fields).find((name) => fields[name]?.format === fileFormat)!
  const fieldSizes = Object.values(fields).map(({ maxLength = 0 }) => maxLength * maxBytesPerCharacter)
  return { fileField, fields, fieldBytes: Math.max(defaultFieldBytes, ...fieldSizes) }
}

/** Reads text fields and at most one file, which is passed on while it arrives. Rejects only after `receiveFile` has ended. */
export async function receiveMultipart<T>(
  request: FastifyRequest,
  receiveFile: (part: FilePart) => Promise<T>,
): Promise<MultipartBody<T>> {
  if (request.body !== unreadBody) throw unsupportedMediaType(request)
  const { raw, routeOptions } = request
  const form = describeForm(request)
  const { fileField, fieldBytes } = form
  const fields = new Map<string, unknown>()
  const parser = createParser(raw, fieldBytes)
  const { promise: parsed, resolve, reject } = Promise.withResolvers<void>()
  let receiving: Promise<T> | undefined
  let content: Readable | undefined
  let size = 0

  parser.on('field', (name, value, _nameTruncated, isTruncated) => {
    if (fields.has(name)) return reject(duplicateField(name))
    if (name === fileField) return reject(invalid('body', `/${fileField}`, 'type', `\`${fileField}\` must be a file.`))
    if (isTruncated)
      return reject(
        new AppError(413, 'too_large', `A text field must not exceed ${Math.floor(fieldBytes / 1_024)} KiB.`),
      )
    fields.set(name, value)
  })
  parser.on('file', (name, stream, filename, _encoding, declaredType) => {
    stream.on('error', () => {})
    if (name !== fileField) {
      stream.resume()
      return reject(invalid('body', `/${name}`, 'unexpected', `\`${String(name).slice(0, 100)}\` must not be a file.`))
    }
    content = stream
    receiving = receiveFile({ field: fileField, filename: filename ?? '', declaredType, content: stream })
    receiving.catch(reject)
  })
  parser.on('filesLimit', () => reject(invalid('body', `/${fileField}`, 'max_items', 'The body must have one file.')))
  const tooManyFields = () =>
    reject(invalid('body', '', 'max_items', `The body must not have more than ${maxFields} fields.`))
  parser.on('fieldsLimit', tooManyFields)
  parser.on('partsLimit', tooManyFields)
  parser.on('error', () => reject(malformedMultipart()))
  parser.on('finish', resolve)
  raw.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > routeOptions.bodyLimit) reject(bodyTooLarge(routeOptions.bodyLimit))
  })
  raw.on('error', () => reject(incompleteBody()))
  raw.on('close', () => !raw.readableEnded && reject(incompleteBody()))
  if (raw.destroyed) throw incompleteBody()
  raw.pipe(parser)
  const endWatch = watchTransferRate(raw, reject)

  try {
    await parsed
    const file = await receiving
    return { fields: validateFields(request, form, fields, receiving !== undefined), file }
  } catch (error) {
    raw.unpipe(parser)
    raw.resume()
    content?.destroy(error as Error)
    await receiving?.catch(() => {})
    throw error
  } finally {
    endWatch()
  }
}

const malformedMultipart = () =>
  new AppError(422, 'validation_failed', 'The body must be complete and valid multipart/form-data.')

function createParser({ headers }: IncomingMessage, fieldSize: number): InstanceType<typeof Busboy> {
  try {
    return new Busboy({
      headers: { ...headers, 'content-type': headers['content-type']! },
      limits: { ...limits, fieldSize },
      fileHwm: 65_536,
    })
  } catch {
    throw malformedMultipart()
  }
}

function validateFields(
  request: FastifyRequest,
  { fileField, fields: schemas }: Form,
  fields: Map<string, unknown>,
  hasFile: boolean,
) {
  const cleaned = cleanInput(Object.fromEntries(fields), 'body') as Record<string, unknown>
  const body = Object.entries(cleaned).map(([name, value]) => [name, toFieldValue(schemas[name], value)])
  const validate = request.getValidationFunction('body') as ValidateFunction
  const input: Record<string, unknown> = { ...Object.fromEntries(body), ...(hasFile && { [fileField]: '' }) }
  if (!validate(input)) throw invalidInput(toInputErrors('body', validate.errors as ErrorObject[]))
  return Object.fromEntries(Object.entries(input).filter(([name]) => name !== fileField))
}

/** Forms contain texts only. */
const toFieldValue = (schema: FieldSchema | undefined, value: unknown): unknown =>
  schema?.type === 'number' && /^-?\d{1,15}(\.\d{1,15})?$/.test(String(value)) ? Number(value) : value
