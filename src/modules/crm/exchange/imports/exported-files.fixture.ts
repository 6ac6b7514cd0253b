import {
  country,
  dayOf,
  type ExportedFile,
  emailOf,
  english,
  first,
  ignored,
  isoDay,
  last,
  names,
  pad,
  phone,
  pick,
  read,
  rowsPerFile,
  same,
  sometimes,
  utf8,
  utf8WithMark,
  year,
} from './exported-columns.fixture.ts'
import { excelFrench, excelGerman } from './exported-sheets.fixture.ts'

const hubspot = (owner: string): ExportedFile => ({
  system: 'HubSpot',
  type: 'contacts',
  delimiter: ',',
  toBytes: utf8,
  customFields: { create_date: { label: 'Create Date', type: 'datetime' } },
  warnings: { unknown_value: 1 },
  columns: [
    ignored('Record ID', (n) => String(51_000_000 + n)),
    ...names('First Name', 'Last Name'),
    same('Email', 'email', emailOf('hub')),
    sometimes(same('Phone Number', 'phone', phone)),
    read(
      'Contact owner',
      'owner_id',
      () => owner,
      () => owner,
    ),
    read(
      'Lifecycle Stage',
      'lifecycle_stage',
      (n) => (n === 8 ? 'Other' : pick(['Subscriber', 'Marketing Qualified Lead', 'Customer'], n)),
      (n) => (n === 8 ? 'lead' : pick(['subscriber', 'mql', 'customer'], n)),
    ),
    ignored('Marketing contact status', () => 'Marketing contact'),
    read(
      'Create Date',
      'custom.create_date',
      (n) => `${isoDay(n)} 09:${pad(n % 60)}`,
      (n) => `${isoDay(n)}T09:${pad(n % 60)}:00.000Z`,
    ),
    sometimes(same('Associated Company', 'account_name', (n) => `Company ${n % 9}`)),
    same('Job Title', 'title', () => 'Head of Sales'),
    read('Country/Region', 'country', country(english, 0), country(english, 1)),
    same('City', 'city', () => 'Zürich'),
    read(
      'Unsubscribed from all email',
      'email_status',
      (n) => String(n % 10 === 0),
      (n) => (n % 10 === 0 ? 'unsubscribed' : 'unknown'),
    ),
  ],
})

const salesforce = (owner: string): ExportedFile => ({
  system: 'Salesforce',
  type: 'leads',
  delimiter: ',',
  toBytes: utf8WithMark,
  customFields: { created: { label: 'Created Date', type: 'date' } },
  warnings: { unknown_value: 1, default_reason: 15 },
  columns: [
    read(
      'Lead Owner',
      'owner_id',
      (n) => (n === 5 ? 'Former Colleague' : owner),
      (n) => (n === 5 ? null : owner),
    ),
    ...names('First Name', 'Last Name'),
    same('Title', 'title', () => 'CTO'),
    same('Company / Account', 'company', (n) => `Acme "${n}" GmbH`),
    same('Phone', 'phone', phone),
    same('Email', 'email', emailOf('force')),
    read(
      'Lead Source',
      'source',
      (n) => pick(['Web', 'Phone Inquiry', 'Trade Show'], n),
      (n) => pick(['web', 'phone_inquiry', 'trade_show'], n),
    ),
    read(
      'Lead Status',
      'status',
      (n) => pick(['Open - Not Contacted', 'Working - Contacted', 'Closed - Not Converted', 'Qualified'], n),
      (n) => pick(['new', 'working', 'unqualified', 'qualified'], n),
    ),
    ignored('Rating', () => 'Hot'),
    same('State/Province', 'region', () => 'CA'),
    ignored('Zip/Postal Code', () => '94105'),
    read('Country', 'country', country(english, 0), country(english, 1)),
    read(
      'Annual Revenue',
      'annual_revenue',
      (n) => `${n + 1},250,000.50`,
      (n) => ({ amount: `${n + 1}250000.50`, currency: 'EUR' }),
    ),
    read(
      'No. of Employees',
      'employee_count',
      (n) => `${n + 1},200`,
      (n) => (n + 1) * 1_000 + 200,
    ),
    read('Created Date', 'custom.created', (n) => `${dayOf(n).month}/${dayOf(n).day}/${year}`, isoDay, 'date:mdy'),
    read(
      'Email Opt Out',
      'email_status',
      (n) => (n % 12 === 0 ? '1' : '0'),
      (n) => (n % 12 === 0 ? 'unsubscribed' : 'unknown'),
    ),
  ],
})

const pipedrive = (owner: string): ExportedFile => ({
  system: 'Pipedrive',
  type: 'contacts',
  delimiter: ',',
  toBytes: utf8,
  customFields: {},
  warnings: {},
  columns: [
    ignored('Person - ID'),
    ignored('Person - Name', (n) => `${pick(first, n)} ${pick(last, n)}`),
    ...names('Person - First name', 'Person - Last name'),
    sometimes(
      read(
        'Person - Label',
        'tags',
        (n) => `Hot lead, Group ${n % 3}`,
        (n) => ['Hot lead', `Group ${n % 3}`],
        'split:,',
      ),
    ),
    same('Person - Organization', 'account_name', (n) => `Organization ${n % 5}`),
    same('Person - Phone - Work', 'phone', phone),
    ignored('Person - Phone - Home', () => ''),
    same('Person - Email - Work', 'email', emailOf('pipe')),
    ignored('Person - Email - Home', () => ''),
    ignored('Person - Person created', (n) => `${isoDay(n)} 10:00:00`),
    read(
      'Person - Owner',
      'owner_id',
      () => owner,
      () => owner,
    ),
  ],
})

const mailchimp = (): ExportedFile => ({
  system: 'Mailchimp',
  type: 'leads',
  delimiter: ',',
  toBytes: utf8,
  customFields: { optin: { label: 'OPTIN_TIME', type: 'datetime' } },
  warnings: {},
  columns: [
    same('Email Address', 'email', emailOf('chimp')),
    sometimes(same('First Name', 'first_name', (n) => pick(first, n))),
    sometimes(same('Last Name', 'last_name', (n) => pick(last, n))),
    sometimes(same('Phone Number', 'phone', phone)),
    ignored('MEMBER_RATING', () => '2'),
    read(
      'OPTIN_TIME',
      'custom.optin',
      (n) => `${isoDay(n)} 12:00:${pad(n % 60)}`,
      (n) => `${isoDay(n)}T12:00:${pad(n % 60)}.000Z`,
    ),
    ignored('OPTIN_IP', () => '192.0.2.1'),
    ignored('LATITUDE', () => '52.5200'),
    ignored('GMTOFF', () => '1'),
    same('TIMEZONE', 'timezone', () => 'Europe/Berlin'),
    read('CC', 'country', (n) => country(english, 1)(n).toLowerCase(), country(english, 1)),
    same('REGION', 'region', () => 'be'),
    ignored('EUID', (n) => `abc${n}`),
    same('NOTES', 'notes', (n) => `Line one\nLine ${n}`),
    read(
      'TAGS',
      'tags',
      (n) => `"vip","list ${n % 3}"`,
      (n) => ['vip', `list ${n % 3}`],
      'split:,',
    ),
  ],
})

export const exportedFiles = (owner: string): ExportedFile[] => [
  hubspot(owner),
  salesforce(owner),
  pipedrive(owner),
  mailchimp(),
  excelGerman(owner),
  excelFrench(owner),
]

/** Writes the file as its system does: with quotes only where they are needed, and CRLF. */
export function toFile({ columns, delimiter, toBytes }: ExportedFile): Buffer {
  const quote = (cell: string) =>
    /["\n\r]/.test(cell) || cell.includes(delimiter) ? `"${cell.replaceAll('"', '""')}"` : cell
  const rows = Array.from({ length: rowsPerFile }, (_, n) => columns.map(({ cell }) => quote(cell(n))))
  const lines = [columns.map(({ name }) => quote(name)), ...rows].map((cells) => cells.join(delimiter))
  return toBytes(`${lines.join('\r\n')}\r\n`)
}
