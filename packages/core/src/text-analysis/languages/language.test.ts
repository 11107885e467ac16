import { describe, expect, it } from '@jest/globals'
import { frenchStem, germanStem, portugueseStem, spanishStem } from './light-stems.ts'
import { guessLanguage, isFunctionWordOf, stemHash } from './language.ts'

describe('guessLanguage', () => {
  it.each([
    ['de', 'Bitte prüfe, warum die Verbindung zur Datenbank nach einer Minute abbricht.'],
    ['fr', 'Pourquoi la sauvegarde ne se fait pas quand le disque est plein ?'],
    ['es', '¿Por qué se cierra la conexión cuando el servidor no responde?'],
    ['pt', 'Por que a conexão não é fechada quando o servidor está parado?'],
    ['en', 'Why is the connection to the server lost when it was idle for a minute?'],
    ['en', 'The German word "die" and the French "le" are articles.'],
    [undefined, 'getUserName(session) { return cache[id] }'],
    [undefined, ''],
  ])('tells %s', (language, text) => {
    expect(guessLanguage(text)).toBe(language)
  })

  it('takes no code or log with a stray short word for another language', () => {
    expect(guessLanguage('const de = parse(o); if (!de) throw new Error(`no ${o}`)')).not.toBe('es')
    expect(guessLanguage('error: cannot find module, see the log for it, a module is missing')).toBe('en')
  })
})

describe('light stems', () => {
  it.each([
    [germanStem, 'verbindung verbindungen'],
    [germanStem, 'datenbank datenbanken'],
    [germanStem, 'haus hauser hauses'],
    [frenchStem, 'connexion connexions'],
    [frenchStem, 'sauvegarde sauvegarder sauvegardee sauvegardees'],
    [frenchStem, 'journal journaux'],
    [spanishStem, 'conexion conexiones'],
    [spanishStem, 'archivo archivos'],
    [portugueseStem, 'conexao conexoes'],
    [portugueseStem, 'arquivo arquivos'],
    [portugueseStem, 'local locais'],
  ])('%p gives all forms of a word one stem: %s', (stem, forms) => {
    expect(new Set(forms.split(' ').map(stem)).size).toBe(1)
  })

  it('are terms of their own in each language, and there are none for function words and names of programs', () => {
    expect(stemHash('conexiones', 'es')).toBe(stemHash('conexion', 'es'))
    expect(stemHash('conexion', 'es')).not.toBe(stemHash('conexion', 'pt'))
    expect(stemHash('einer', 'de')).toBeUndefined()
    expect(stemHash('utf8', 'de')).toBeUndefined()
    expect(isFunctionWordOf('pourquoi', 'fr')).toBe(true)
  })
})
