import type { PublicRoom } from '../room-visits/room-visits.schemas.ts'

const style = `
h1 { overflow-wrap: anywhere }
.logo { max-height: 4rem; max-width: 12rem }
.cover { display: block; width: 100%; max-height: 16rem; object-fit: cover; border-radius: 6px }
article { border: 1px solid #8888; border-radius: 8px; padding: 0 1rem; margin: 1rem 0; overflow-wrap: anywhere }
h3 { font-size: 1rem; line-height: 1.3 }
article > h2 { margin-top: 1rem }
form { max-width: 24rem }
article img, article video { display: block; max-width: 100%; border: 1px solid #8888; border-radius: 6px }
article video { width: 100%; box-sizing: border-box }
article video { max-height: 80vh; background: #000 }
article audio { width: 100% }
.date { white-space: nowrap }
.first-page { display: block; max-width: 24rem }
.details { font-size: .875rem }
@media (max-width: 40rem) {
  .first-page img { width: 100%; box-sizing: border-box }
  th, td { padding: .25rem .4rem }
}
`

export const roomStyle = ({ theme }: PublicRoom['branding']): string =>
  `${style}:root { color-scheme: ${theme === 'dark' ? 'dark' : 'light'} }\n`
