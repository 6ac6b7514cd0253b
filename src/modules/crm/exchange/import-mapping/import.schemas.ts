import { type Static, Type } from 'typebox'
import { csvEncodings } from '#platform/csv'
import { AcceptedTask, Id, Line, listQuery, named, nullable, strict, Timestamp, withExample } from '#platform/schema'

export const transforms = ['none', 'lower', 'date:dmy', 'date:mdy', 'number:eu', 'split:;', 'split:,'] as const
export type Transform = (typeof transforms)[number]

export const importStates = [
  'uploaded',
  'mapped',
  'checking',
  'running',
  'completed',
  'failed',
  'cancelled',
  'undoing',
  'undone',
] as const

export const delimiterNames = ['comma', 'semicolon', 'tab', 'pipe'] as const

const maxColumns = 200
const ColumnName = Type.String({
  minLength: 1,
  maxLength: 210,
  description: 'Name of the column.',
  examples: ['Email'],
})
const FieldName = Type.String({ minLength: 1, maxLength: 60 })

export const ColumnMapping = strict({
  column: ColumnName,
  field: nullable({
    ...FieldName,
    description:
      'Field that gets the values, such as `email`, `utm.source` or `custom.tier`; null to leave the column out.',
    examples: ['email'],
  }),
  transform: Type.Optional(
    Type.Enum([...transforms], {
      description:
        '`lower`: lower case; `date:dmy` and `date:mdy`: order of day, month and year; `number:eu`: decimal comma; `split:;`: items ' +
        'between semicolons, the default of lists; `split:,`: between commas; `none`: the cell is one item of a list. Without it, the ' +
        'order of dates and the decimal comma are those that the whole column proves.',
    }),
  ),
  values: Type.Optional(
    Type.Record(Type.String({ minLength: 1, maxLength: 200 }), Type.String({ maxLength: 200 }), {
      maxProperties: 200,
      description:
        'What texts of the column are read as, without regard to case, such as `{ "Hot": "qualified" }`; an empty text is a blank cell.',
    }),
  ),
})
export type ColumnMapping = Static<typeof ColumnMapping>

const flag = (description: string) => Type.Boolean({ default: false, description })
const choice = <const V extends string[]>(values: V, byDefault: V[number], description: string) =>
  Type.Enum(values, { default: byDefault, description })

export const ImportOptions = strict({
  match_by: Type.String({
    pattern: '^(email|name_company|none|custom_field:[a-z][a-z0-9_]{0,49})$',
    minLength: 4,
    maxLength: 63,
    default: 'email',
    description:
      'How a row finds an existing record: by `email`, by `name_company` (name and company or account), by a unique custom field ' +
      '(`custom_field:{key}`), or not at all (`none`).',
  }),
  on_match: choice(
    ['skip', 'update_empty', 'update', 'create'],
    'update_empty',
    '`skip`: leave the record; `update_empty`: fill its empty fields; `update`: replace its values; `create`: create another record.',
  ),
  blank_clears: flag('With `on_match: update`, blank cells clear the field.'),
  multi_select: choice(['replace', 'add'], 'add', 'Whether an update replaces the items of lists or adds to them.'),
  default_values: Type.Record(FieldName, Type.String({ maxLength: 1_000 }), {
    default: {},
    maxProperties: maxColumns,
    description: 'Texts for fields of new records whose cell is blank or that have no column.',
  }),
  owner_id: Type.Optional({ ...Id, description: 'Owner of new records without another owner.' }),
  tags: Type.Array(Line(50), { maxItems: 50, default: [], description: 'Tags of all new and updated records.' }),
  campaign_id: Type.Optional({
    ...Id,
    description: 'Campaign that the persons are added to, except those who have opted out. Requires `campaigns.write`.',
  }),
  run_assignment: flag('Assigns new leads by the rules of the workspace.'),
  start_sla: flag('Starts the response time of new leads.'),
  basis: choice(
    ['consent', 'legitimate_interest', 'contract', 'none'],
    'none',
    'Why the persons may be contacted. `email_status: subscribed` has an effect only with `consent`.',
  ),
})
export type ImportOptions = Static<typeof ImportOptions>

export const NewMapping = named(
  'ImportMapping',
  withExample(
    strict({
      columns: Type.Array(ColumnMapping, {
        minItems: 1,
        maxItems: maxColumns,
        description: 'Columns of the file. Those that are not listed are left out.',
      }),
      options: Type.Optional(
        Type.Partial(ImportOptions, { additionalProperties: false, description: 'How rows become records.' }),
      ),
    }),
    {
      columns: [
        { column: 'Email', field: 'email' },
        { column: 'Last name', field: 'last_name' },
      ],
      options: { match_by: 'email', on_match: 'update_empty' },
    },
  ),
)
export type NewMapping = Static<typeof NewMapping>

export const uploadFields = {
  encoding: Type.Optional(Type.Enum([...csvEncodings], { description: 'Encoding of the file; detected without it.' })),
  delimiter: Type.Optional(
    Type.Enum([...delimiterNames], { description: 'What is between the cells; detected without it.' }),
  ),
}
const UploadFields = strict(uploadFields)
export type UploadFields = Static<typeof UploadFields>

const count = (description: string) => Type.Integer({ minimum: 0, description, examples: [1] })
const counts = {
  created: count('Rows that created a record.'),
  updated: count('Rows that matched a record that may be updated.'),
  skipped: count('Rows that matched a record that is left as it is.'),
  failed: count('Rows with an error.'),
  warnings: count('Rows with a warning.'),
}
const at = (description: string) => nullable({ ...Timestamp, description })

const importProperties = {
  id: Id,
  object_type: Type.Enum(['lead', 'contact'], { description: 'Kind of the imported records.' }),
  state: Type.Enum([...importStates], {
    description:
      'State of the import. `checking` is a dry run, after which it is `mapped` again; a `completed`, `failed` or `cancelled` import can be undone.',
  }),
  filename: Type.String({ description: 'Name of the uploaded file.', examples: ['trade-fair.csv'] }),
  encoding: Type.String({ description: 'Detected or given encoding.', examples: ['utf-8'] }),
  delimiter: Type.String({ description: 'Detected or given delimiter.', examples: [';'] }),
  row_count: count('Rows of the file, without the header.'),
  done_rows: count('Rows that the current or last run has processed.'),
  ...counts,
  undone: count('Rows whose changes were undone.'),
  kept: count('Rows whose record an undo left, such as records that were edited since.'),
  dry_run: nullable(strict({ ...counts, finished_at: { ...Timestamp, description: 'Time when the dry run ended.' } })),
  failure: nullable(
    strict({
      code: Type.String({ description: 'Error code.', examples: ['too_many_failures'] }),
      message: Type.String({ description: 'Why the import ended.' }),
    }),
  ),
  task_id: nullable({ ...Id, description: 'Task of the current or last run; null before the first.' }),
  created_by: nullable(Id),
  created_at: Timestamp,
  started_at: at('Time when the run started.'),
  finished_at: at('Time when the run ended.'),
}

export const ListedImport = named('ListedImport', strict(importProperties))
export type ListedImport = Static<typeof ListedImport>

const ColumnValues = strict({
  column: ColumnName,
  field: { ...FieldName, description: 'Field with the name of the column.', examples: ['country'] },
  checked: count('Values that were checked, without blank cells.'),
  readable: count('Checked values that the field accepts.'),
})
export type ColumnValues = Static<typeof ColumnValues>

const FileWarning = strict({
  code: Type.Enum(['guessed_encoding', 'ambiguous_dates', 'repeated_keys'], { description: 'Code of the warning.' }),
  column: nullable({ ...ColumnName, description: 'Column that the warning is about.' }),
  message: Type.String({
    description: 'What to check.',
    examples: ['4,000 rows have an email address that other rows have too.'],
  }),
})
export type FileWarning = Static<typeof FileWarning>

export const RecordImport = named(
  'RecordImport',
  strict({
    ...importProperties,
    columns: Type.Array(ColumnName, { description: 'Columns of the file.' }),
    sample_rows: Type.Array(Type.Array(Type.String()), { description: 'Cells of the first five rows.' }),
    suggested_mapping: Type.Array(ColumnMapping, {
      description:
        'Fields with the names of the columns, unless most of the first values cannot be read. Can be sent as `columns`.',
    }),
    column_values: Type.Array(ColumnValues, {
      description: 'How many of the first 100 values of columns with the name of a field can be read.',
    }),
    file_warnings: Type.Array(FileWarning, { description: 'What to check before the import.' }),
    mapping: nullable(Type.Array(ColumnMapping, { description: 'The mapping; null before it is set.' })),
    options: nullable(ImportOptions),
  }),
)
export type RecordImport = Static<typeof RecordImport>

export const ImportQuery = listQuery({})
export type ImportQuery = Static<typeof ImportQuery>
export const ImportParams = strict({ import_id: Id })

export const ImportRun = named(
  'ImportRun',
  withExample(
    strict({
      dry_run: flag('Only finds out what would happen to each row, without changing a record.'),
    }),
    { dry_run: true },
  ),
)
export const StartedImport = strict({ ...AcceptedTask.properties, import_id: Id })
export type StartedImport = Static<typeof StartedImport>

const outcomes = ['created', 'updated', 'skipped', 'failed', 'undone', 'kept'] as const

const keptReasons = ['deleted', 'edited', 'not_allowed', 'activity', 'email', 'deal', 'rejected'] as const
export type KeptReason = (typeof keptReasons)[number]

export const ImportRowQuery = listQuery({
  outcome: Type.Optional(Type.Enum([...outcomes], { description: 'Only rows with this outcome.' })),
  has_warnings: Type.Optional(Type.Boolean({ description: 'Only rows with warnings.' })),
})
export type ImportRowQuery = Static<typeof ImportRowQuery>

const RowMessage = strict({
  column: nullable(Type.String({ description: 'Column of the value.', examples: ['Email'] })),
  field: nullable(Type.String({ description: 'Field of the value.', examples: ['email'] })),
  code: Type.String({ description: 'Code of the problem.', examples: ['format'] }),
  message: Type.String({ description: 'What is wrong.', examples: ['`email` must be an email address.'] }),
  record_id: Type.Optional({ ...Id, description: 'Record to look at, such as the contact of a `converted` lead.' }),
})
export type RowMessage = Static<typeof RowMessage>

export const ImportRow = named(
  'ImportRow',
  strict({
    row_no: Type.Integer({ description: 'Number of the row in the file; the header is row 1.', examples: [2] }),
    outcome: nullable(
      Type.Enum([...outcomes], {
        description: 'What happened to the row, or would happen after a dry run; null before both. `kept`: not undone.',
      }),
    ),
    record_id: nullable({ ...Id, description: 'Created or matched record; null in a dry run and if there is none.' }),
    kept_reason: nullable(
      Type.Enum([...keptReasons], {
        description:
          'Why an undo kept the record: it was `deleted` or `edited` since, the user may not delete it (`not_allowed`), it has an ' +
          '`activity` of a user or an open task, an `email` that was sent, or a `deal`, or its former values are `rejected` now.',
      }),
    ),
    cells: Type.Array(Type.String(), { description: 'Cells of the row; empty if the data of the person was erased.' }),
    errors: Type.Array(RowMessage, { description: 'Why the row failed.' }),
    warnings: Type.Array(RowMessage, { description: 'What was not imported as in the file.' }),
  }),
)
export type ImportRow = Static<typeof ImportRow>
