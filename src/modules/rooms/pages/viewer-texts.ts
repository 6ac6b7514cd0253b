import type { PageTexts } from '#platform/html'

type ViewerTexts = {
  skip: string
  back: (room: string) => string
  download: string
  downloadNamed: (title: string) => string
  open: (title: string) => string
  ask: (name: string) => string
  strip: string
  document: string
  content: string
  pager: string
  previous: string
  next: string
  readRate: string
  asText: string
  loading: string
  notShown: string
  notShownDownload: string
  failed: string
  retry: string
  /** The script fills in the numbers. */
  ofScript: { position: string; page: string; pageRead: string; read: string }
}

export const viewerTexts: PageTexts<ViewerTexts> = {
  en: {
    skip: 'Skip to the document',
    back: (room) => `Back to ${room}`,
    download: 'Download',
    downloadNamed: (title) => `Download ${title}`,
    open: (title) => `Open ${title}`,
    ask: (name) => `Ask ${name}`,
    strip: 'Pages',
    document: 'Pages of the document',
    content: 'Content',
    pager: 'Page by page',
    previous: 'Previous page',
    next: 'Next page',
    readRate: 'Read of this document',
    asText: 'Read as text',
    loading: 'Loading the document…',
    notShown: 'This file cannot be shown here.',
    notShownDownload: 'This file cannot be shown here. Download it to read it.',
    failed: 'The document could not be loaded. Check your connection.',
    retry: 'Try again',
    ofScript: {
      position: 'Page {page} of {count}',
      page: 'Page {page}',
      pageRead: 'Page {page}, read',
      read: '{read} of {count} pages read',
    },
  },
  de: {
    skip: 'Zum Dokument springen',
    back: (room) => `Zurück zu ${room}`,
    download: 'Herunterladen',
    downloadNamed: (title) => `${title} herunterladen`,
    open: (title) => `${title} öffnen`,
    ask: (name) => `${name} fragen`,
    strip: 'Seiten',
    document: 'Seiten des Dokuments',
    content: 'Inhalt',
    pager: 'Seite für Seite',
    previous: 'Vorherige Seite',
    next: 'Nächste Seite',
    readRate: 'Von diesem Dokument gelesen',
    asText: 'Als Text lesen',
    loading: 'Das Dokument wird geladen …',
    notShown: 'Diese Datei kann hier nicht angezeigt werden.',
    notShownDownload: 'Diese Datei kann hier nicht angezeigt werden. Laden Sie sie herunter, um sie zu lesen.',
    failed: 'Das Dokument konnte nicht geladen werden. Prüfen Sie Ihre Verbindung.',
    retry: 'Erneut versuchen',
    ofScript: {
      position: 'Seite {page} von {count}',
      page: 'Seite {page}',
      pageRead: 'Seite {page}, gelesen',
      read: '{read} von {count} Seiten gelesen',
    },
  },
  fr: {
    skip: 'Aller au document',
    back: (room) => `Retour à ${room}`,
    download: 'Télécharger',
    downloadNamed: (title) => `Télécharger ${title}`,
    open: (title) => `Ouvrir ${title}`,
    ask: (name) => `Demander à ${name}`,
    strip: 'Pages',
    document: 'Pages du document',
    content: 'Contenu',
    pager: 'Page par page',
    previous: 'Page précédente',
    next: 'Page suivante',
    readRate: 'Part lue de ce document',
    asText: 'Lire en texte',
    loading: 'Chargement du document…',
    notShown: 'Ce fichier ne peut pas être affiché ici.',
    notShownDownload: 'Ce fichier ne peut pas être affiché ici. Téléchargez-le pour le lire.',
    failed: 'Le document n’a pas pu être chargé. Vérifiez votre connexion.',
    retry: 'Réessayer',
    ofScript: {
      position: 'Page {page} sur {count}',
      page: 'Page {page}',
      pageRead: 'Page {page}, lue',
      read: '{read} sur {count} pages lues',
    },
  },
  es: {
    skip: 'Ir al documento',
    back: (room) => `Volver a ${room}`,
    download: 'Descargar',
    downloadNamed: (title) => `Descargar ${title}`,
    open: (title) => `Abrir ${title}`,
    ask: (name) => `Preguntar a ${name}`,
    strip: 'Páginas',
    document: 'Páginas del documento',
    content: 'Contenido',
    pager: 'Página por página',
    previous: 'Página anterior',
    next: 'Página siguiente',
    readRate: 'Parte leída de este documento',
    asText: 'Leer como texto',
    loading: 'Cargando el documento…',
    notShown: 'Este archivo no se puede mostrar aquí.',
    notShownDownload: 'Este archivo no se puede mostrar aquí. Descárguelo para leerlo.',
    failed: 'No se pudo cargar el documento. Compruebe su conexión.',
    retry: 'Intentar de nuevo',
    ofScript: {
      position: 'Página {page} de {count}',
      page: 'Página {page}',
      pageRead: 'Página {page}, leída',
      read: '{read} de {count} páginas leídas',
    },
  },
  pt: {
    skip: 'Ir para o documento',
    back: (room) => `Voltar a ${room}`,
    download: 'Transferir',
    downloadNamed: (title) => `Transferir ${title}`,
    open: (title) => `Abrir ${title}`,
    ask: (name) => `Perguntar a ${name}`,
    strip: 'Páginas',
    document: 'Páginas do documento',
    content: 'Conteúdo',
    pager: 'Página a página',
    previous: 'Página anterior',
    next: 'Página seguinte',
    readRate: 'Parte lida deste documento',
    asText: 'Ler como texto',
    loading: 'A carregar o documento…',
    notShown: 'Este ficheiro não pode ser mostrado aqui.',
    notShownDownload: 'Este ficheiro não pode ser mostrado aqui. Transfira-o para o ler.',
    failed: 'Não foi possível carregar o documento. Verifique a sua ligação.',
    retry: 'Tentar novamente',
    ofScript: {
      position: 'Página {page} de {count}',
      page: 'Página {page}',
      pageRead: 'Página {page}, lida',
      read: '{read} de {count} páginas lidas',
    },
  },
}
