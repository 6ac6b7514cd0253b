import type { Random } from '#platform/module'

const firstNames =
  `Anna Lukas Marie Felix Laura Paul Julia David Nina Oliver Emma James Sarah Thomas Rachel Michael Emily Robert
  Hannah William Camille Antoine Chloe Nicolas Isabelle Carlos Elena Andrea Marco Giulia Fatima Omar Aisha Wei Mei Kenji Yuki Ravi
  Ananya Ingrid`.split(/\s+/)
const lastNames =
  `Keller Schneider Hoffmann Becker Wagner Vogel Brandt Fischer Clarke Bennett Hughes Foster Marshall Palmer Griffin
  Wallace Sutton Hayes Coleman Porter Laurent Moreau Lefevre Girard Fontaine Rossi Bianchi Romano Garcia Navarro Ortega Silva
  Costa Hassan Rahman Chen Tanaka Patel Iyer Larsen Nilsen Berg Novak Kowalski`.split(/\s+/)

/** Phone numbers are from ranges that are reserved for fiction. */
const places = [
  { city: 'Berlin', country: 'DE', timezone: 'Europe/Berlin', postal_code: '10115', phone: '+49 30 23125' },
  { city: 'Hamburg', country: 'DE', timezone: 'Europe/Berlin', postal_code: '20095', phone: '+49 40 66969' },
  { city: 'Munich', country: 'DE', timezone: 'Europe/Berlin', postal_code: '80331', phone: '+49 89 99998' },
  { city: 'London', country: 'GB', timezone: 'Europe/London', postal_code: 'EC2A 4NE', phone: '+44 20 7946 0' },
  { city: 'Manchester', country: 'GB', timezone: 'Europe/London', postal_code: 'M1 4BT', phone: '+44 161 496 0' },
  { city: 'Paris', country: 'FR', timezone: 'Europe/Paris', postal_code: '75002', phone: '+33 1 99 00 1' },
  { city: 'New York', country: 'US', timezone: 'America/New_York', postal_code: '10013', phone: '+1 212 555 0' },
  { city: 'Chicago', country: 'US', timezone: 'America/Chicago', postal_code: '60606', phone: '+1 312 555 0' },
  { city: 'Austin', country: 'US', timezone: 'America/Chicago', postal_code: '78701', phone: '+1 512 555 0' },
] as const
export type Place = (typeof places)[number]

const streets = [
  'Market Street',
  'Station Road',
  'Mill Lane',
  'Harbour Street',
  'Park Avenue',
  'Bridge Street',
] as const

export const london: Place = places[3]
export const pickPlace = (random: Random): Place => random.pick(places)
export const pickStreet = (random: Random): string => `${random.integer(2, 180)} ${random.pick(streets)}`
/** US numbers are reserved from 0100 to 0199 only. */
export const toPhone = ({ phone, country }: Place, random: Random): string =>
  `${phone}${random.integer(100, country === 'US' ? 199 : 999)}`

const positions = [
  { department: 'Sales', titles: ['VP Sales', 'Head of Sales', 'Sales Operations Manager'] },
  { department: 'Marketing', titles: ['CMO', 'Head of Marketing', 'Marketing Manager', 'Demand Generation Manager'] },
  { department: 'Operations', titles: ['COO', 'Head of Operations', 'Operations Manager'] },
  { department: 'IT', titles: ['CTO', 'Head of IT', 'IT Manager', 'Systems Administrator'] },
  { department: 'Finance', titles: ['CFO', 'Finance Director', 'Controller'] },
  { department: 'Purchasing', titles: ['Procurement Manager', 'Senior Buyer'] },
  { department: 'Management', titles: ['CEO', 'Managing Director', 'Founder'] },
] as const

export type Person = { first_name: string; last_name: string; email: string; title: string; department: string }

export function createPeople(random: Random) {
  const used = new Set<string>()
  return (domain: string): Person => {
    const { department, titles } = random.pick(positions)
    for (;;) {
      const [first_name, last_name] = [random.pick(firstNames), random.pick(lastNames)]
      const email = `${first_name}.${last_name}@${domain}`.toLowerCase()
      if (used.has(email)) continue
      used.add(email)
      return { first_name, last_name, email, title: random.pick<string>(titles), department }
    }
  }
}
