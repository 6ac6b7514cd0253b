import { type Block, writePaper } from './paper-layouts.ts'

const page = (heading: string, text: string, points: readonly string[], ...more: readonly Block[]) => ({
  heading,
  blocks: [{ text }, { points }, ...more],
})

/** Answers for the security review of a buyer, nine pages. */
export const writeSecurityPaper = (): Buffer =>
  writePaper({
    title: 'Security paper',
    label: 'For IT and security',
    subtitle: 'How we protect your data: hosting, access, encryption, backups and audits.',
    cover: [
      {
        facts: [
          { value: '99.9 %', label: 'availability per month, agreed' },
          { value: '4 h', label: 'to recover after a failure of a site' },
          { value: '1 / year', label: 'penetration test by a third party' },
        ],
      },
      { heading: 'Contents' },
      {
        points: [
          'Hosting and separation of customers',
          'Access and single sign-on',
          'Encryption and keys',
          'Backups and recovery',
          'Development and operation',
          'Incidents',
          'Audits and certificates',
          'Data protection and exit',
        ],
      },
    ],
    pages: [
      page(
        'Hosting and separation of customers',
        'The service runs in two data centers in Frankfurt and Dublin. Each site can serve all customers alone. Data of different customers is separated in the database by row-level security, so a fault in the application cannot show the records of another customer.',
        [
          'Both sites are certified according to ISO 27001',
          'Production, test and development are separate networks and accounts',
          'Employees reach production only through a gateway that records every session',
          'Every request carries the customer, and the database checks it again',
        ],
      ),
      page(
        'Access and single sign-on',
        'Users sign in with your identity provider. Passwords are optional and can be switched off for the whole workspace.',
        [
          'OpenID Connect with Okta, Entra ID and Google',
          'Users are created and deactivated by SCIM within minutes',
          'Roles: viewer, member, manager and admin, with teams',
          'API keys have scopes and an expiry date',
          'Sessions end after the time that you set, and can be revoked at once',
        ],
        { heading: 'What an administrator sees' },
        {
          text: 'Every change of a record, a right or a setting is in the audit log, with the person, the time and the address. The log can be exported and cannot be changed.',
        },
      ),
      page(
        'Encryption and keys',
        'Connections use TLS 1.2 or newer. Databases, files and backups are encrypted with AES-256.',
        [
          'Secrets such as tokens are encrypted once more in the application',
          'Every customer has a key of its own for secrets and files',
          'Keys are rotated every year and after an incident',
          'Employees cannot read keys; machines use them through a key service',
        ],
      ),
      page(
        'Backups and recovery',
        'A backup is written every night and kept for 35 days at the other site. Changes between two backups are shipped every minute.',
        [
          'At most five minutes of data are lost after the failure of a site',
          'The service is available again within four hours',
          'A restore is tested every quarter, with a report',
          'You can export your workspace at any time',
        ],
        { heading: 'Last test' },
        { text: 'The last restore took one hour and 40 minutes. All checks of the data passed.' },
      ),
      page(
        'Development and operation',
        'A change reaches production after a review by a second person and after all tests have passed. Releases are small and can be undone.',
        [
          'Dependencies are pinned and checked for known weaknesses every day',
          'Critical updates are installed within 48 hours',
          'Access rights of employees are reviewed every quarter',
          'All employees take part in a training every year',
        ],
      ),
      page(
        'Incidents',
        'A team is on call at all hours. Customers are informed about an incident that concerns their data within 24 hours, with what is known and what is done.',
        [
          'Status page with the history of the last twelve months',
          'Report with cause and measures within ten working days',
          'Contact for security researchers, with an answer within two working days',
        ],
        {
          facts: [
            { value: '0', label: 'incidents with customer data in 36 months' },
            { value: '12 min', label: 'median time to the first answer' },
            { value: '24 h', label: 'to inform customers' },
          ],
        },
      ),
      page(
        'Audits and certificates',
        'Reports are available under a confidentiality agreement. Ask your contact for the current versions.',
        [
          'ISO 27001, audited every year',
          'SOC 2 Type II, period of twelve months',
          'Penetration test every year; findings of high severity fixed within 30 days',
          'Answers to the CAIQ and SIG questionnaires',
        ],
      ),
      page(
        'Data protection and exit',
        'We process personal data on your behalf, in the EU only. The agreement on data processing is part of the contract.',
        [
          'List of subprocessors, with 30 days notice of a change',
          'Requests of persons: search, export and deletion are functions of the product',
          'After the end of the contract: all data as open files within 30 days',
          'Deletion of all data, backups included, within 60 days, confirmed in writing',
        ],
        { heading: 'Contact' },
        {
          text: 'Questions of your security team are answered by ours. Write to your contact, and we arrange a call within three working days.',
        },
      ),
    ],
  })
