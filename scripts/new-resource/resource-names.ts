/** Forms of a resource name, as the templates use them. */
export type ResourceNames = {
  module: string
  /** PostgreSQL schema of the table. */
  schema: string
  /** Folder, and last segment of the path: `deal-notes`. */
  folder: string
  /** The folder below the module, with its area. */
  directory: string
  /** Base name of files about one record: `deal-note`. */
  file: string
  /** Table and resource of the scopes: `deal_notes`. */
  table: string
  /** Subject type of events and prefix of the path parameter: `deal_note`. */
  snake: string
  /** Schema: `DealNote`. */
  Singular: string
  Plural: string
  singular: string
  plural: string
  /** Words in texts: `deal note`. */
  label: string
  labels: string
  a: string
  A: string
  path: string
}

/** Modules whose tables are in a schema with another name. */
const schemas: Readonly<Record<string, string>> = {
  email: 'crm',
  library: 'enablement',
  rooms: 'enablement',
  coaching: 'enablement',
  pitches: 'enablement',
  learning: 'enablement',
  experts: 'enablement',
  insights: 'enablement',
}

/** Schemas whose paths begin with their name. */
const schemasWithPrefix = ['community', 'enablement']

/** Keywords, and names that the templates use for something else. */
const takenNames = new Set(
  (
    'break case catch class const continue default delete do else enum export false for function if import in ' +
    'instanceof new null return super switch this throw true try typeof var void while with let static yield await ' +
    'acme app change changed changes column created database db deleted description error event events field found ' +
    'id ids input item items key manager member name next order other own owner page param path plan query record ' +
    'request resource response route row rows same scope service status tenant test text total tx type updated url ' +
    'user value version viewer workspace'
  ).split(' '),
)

/** `location` is a module, or a module and one of its areas: `crm/work`. */
export function deriveNames(location: string, plural: string, singular = toSingular(plural)): ResourceNames {
  assertValidName(plural, 'deal-notes')
  assertValidName(singular, 'deal-note')
  if (singular === plural)
    throw new Error(`The name "${plural}" must be a plural. If it is, add its singular: --singular <name>`)
  const taken = [singular, plural].map(toCamel).find((name) => takenNames.has(name))
  if (taken)
    throw new Error(`The name "${taken}" is used by the language or the templates. Choose a more specific name.`)
  const [module = '', area] = location.split('/')
  const schema = schemas[module] ?? module
  const a = /^[aeiou]/.test(singular) ? 'an' : 'a'
  return {
    module,
    schema,
    folder: plural,
    directory: area ? `${area}/${plural}` : plural,
    file: singular,
    table: toSnake(plural),
    snake: toSnake(singular),
    Singular: capitalize(toCamel(singular)),
    Plural: capitalize(toCamel(plural)),
    singular: toCamel(singular),
    plural: toCamel(plural),
    label: singular.replaceAll('-', ' '),
    labels: plural.replaceAll('-', ' '),
    a,
    A: capitalize(a),
    path: schemasWithPrefix.includes(schema) ? `/api/${schema}/${plural}` : `/api/${plural}`,
  }
}

function assertValidName(name: string, example: string): void {
  if (!/^[a-z]+(-[a-z]+)*$/.test(name) || name.length > 30)
    throw new Error(
      `The name "${name}" must have at most 30 lower-case letters, with hyphens between words, such as ${example}.`,
    )
}

function toSingular(plural: string): string {
  if (/[^aeiou]ies$/.test(plural)) return plural.replace(/ies$/, 'y')
  if (/(ss|x|ch|sh)es$/.test(plural)) return plural.replace(/es$/, '')
  return /(ss|us|is)$/.test(plural) ? plural : plural.replace(/s$/, '')
}

const toSnake = (name: string): string => name.replaceAll('-', '_')
const toCamel = (name: string): string => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
const capitalize = (text: string): string => `${text[0]!.toUpperCase()}${text.slice(1)}`
