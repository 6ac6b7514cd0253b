import type { Schemas } from '../client.ts'

type ErrorReport = Schemas['NewClientError']
export type ErrorKind = ErrorReport['kind']

/** The words of messages of browsers and of React. Other words can be names or texts of the user. */
const knownWords = new Set(
  (
    'a access an and are argument array as assignment async at await be because before call cannot child circular class ' +
    'constant constructor convert converting could defined delete descriptor destructure does dynamically element error exceeded ' +
    'expected extensible failed fetch find for found function getter has have hook hooks import imported in infinite ' +
    'initialization initialize instance instanceof invalid is iterable iterator json length loop match maximum minified ' +
    'missing module more must new no node not null object of on only operation or out outside private promise properties ' +
    'property quota range react read reading reduce rendered resource script set setter setting size stack storage string ' +
    'structure supported symbol that the this time to token too type undefined unexpected update used valid value was with ' +
    'worker write zone'
  ).split(' '),
)
const quoted = /".*"|'.*'|`.*`/gs
const maxMessage = 160
const maxFrames = 8

/** Describes an error for the operator, without what users see or type. */
export const toErrorReport = (
  kind: ErrorKind,
  error: Error,
  { origin, pathname }: { origin: string; pathname: string },
): ErrorReport => ({
  kind,
  name: /^[A-Za-z]{1,40}$/.test(error.name) ? error.name : 'Error',
  message: reduceMessage(error.message),
  page: reducePath(pathname),
  frames: listFrames(error.stack ?? '', origin),
})

const reduceMessage = (message: string): string =>
  (
    message
      .slice(0, 1_000)
      .replace(quoted, '…')
      .match(/#\d{1,3}\b|[^\s"'.,:;()[\]{}]+/g) ?? []
  )
    .map((word) => (knownWords.has(word.toLowerCase()) || /^#\d+$/.test(word) ? word : '…'))
    .filter((word, index, words) => word !== '…' || words[index - 1] !== '…')
    .join(' ')
    .slice(0, maxMessage)

const reducePath = (pathname: string): string =>
  pathname
    .split('/')
    .map((part) => (/^[a-z-]{0,30}$/.test(part) ? part : '…'))
    .join('/')
    .slice(0, 100)

function listFrames(stack: string, origin: string): string[] {
  const places = stack.split(`${origin}/assets/`).slice(1)
  return places.flatMap((place) => /^[\w.-]{1,80}\.js:\d{1,6}:\d{1,7}/.exec(place)?.[0] ?? []).slice(0, maxFrames)
}

const maxReports = 5

/** Accepts the first errors of the page, each once, so that an error in a loop sends one report. */
export function createErrorLimit(): (report: ErrorReport) => boolean {
  const sent = new Set<string>()
  return ({ kind: _, page: _page, ...error }) => {
    const key = JSON.stringify(error)
    if (sent.has(key) || sent.size >= maxReports) return false
    sent.add(key)
    return true
  }
}
