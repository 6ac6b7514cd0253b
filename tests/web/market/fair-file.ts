const firstNames = ['Marta', 'Jonas', 'Ayşe', 'Peter', 'Sofía', 'Ivo', 'Aline', 'Tom']
const lastNames = ['Wagner', 'Lindqvist', 'Demir', 'Holm', 'Brandt', 'Marek', 'Roux', 'Becker', 'Lind']
const companies = ['Sandstone Logistics', 'Windmill Systems', 'Kestrel Components', 'Oakhurst Stores']
const titles = ['Leiterin Einkauf', 'CTO', 'Head of Operations']
const interests = ['Forecast;Rooms', 'Forecast', 'Rooms;Import']
const header = 'Vorname;Nachname;E-Mail;Mail privat;Firma;Position;Telefon;Mitarbeiter;Messetag;Interessen;Bemerkung'

const wrongEmails = 28
export const faults = 40

const pick = (values: readonly string[], at: number): string => values[at % values.length]!

/** The visitors of a trade fair as a spreadsheet writes them. 28 email addresses and 12 days are wrong. */
export function createFairFile(rows: number): Buffer {
  const every = Math.floor(rows / faults)
  const lines = Array.from({ length: rows }, (_, at) => {
    const fault = at % every === every - 1 ? Math.floor(at / every) : undefined
    const isWrong = fault !== undefined && fault < faults
    const [first, last] = [pick(firstNames, at), pick(lastNames, at)]
    const host = pick(['sandstone', 'windmill', 'kestrel'], at)
    const email = isWrong && fault < wrongEmails ? `${last}.${at}@` : `${last[0]}.${last}.${at}@${host}.example`
    const day = isWrong && fault >= wrongEmails ? '11/26/2026' : `${13 + (at % 12)}.11.2026`
    const private_ = at % 3 === 1 ? `${last.toLowerCase()}.${at}@mail.example` : ''
    return [
      first,
      last,
      email,
      private_,
      pick(companies, at),
      pick(titles, at),
      `+49 69 3301 ${1_000 + at}`,
      ['1.200', '85', '4.500'][at % 3],
      day,
      `"${pick(interests, at)}"`,
      at % 5 === 0 ? 'Rückruf ab 14 Uhr' : '',
    ].join(';')
  })
  return Buffer.from(`${[header, ...lines].join('\r\n')}\r\n`)
}
